/** An event as it goes over the wire, made once for all who get it. `json` has no line break: `JSON.stringify` makes none. */
export function eventFrame(event: string, json: string, id?: bigint): Buffer {
  return Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`)
}

/** A comment: it says that the stream lives, to the client and to whatever is in between. */
export const HEARTBEAT = Buffer.from(':\n\n')

/** How long to wait before coming back. */
export function retryFrame(ms: number): Buffer {
  return Buffer.from(`retry: ${ms}\n\n`)
}
