/** Builds an event's wire format once for all listeners. `json` has no line break: `JSON.stringify` makes none. */
export function eventFrame(event: string, json: string, id?: bigint): Buffer {
  return Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`)
}

/** A comment that proves to the client and to proxies that the stream is alive. */
export const HEARTBEAT = Buffer.from(':\n\n')

/** Sets the client's delay before it reconnects. */
export function retryFrame(ms: number): Buffer {
  return Buffer.from(`retry: ${ms}\n\n`)
}
