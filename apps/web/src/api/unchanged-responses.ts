import { calls } from '../generated/calls.ts'
import type { transport } from './client.ts'

/** Polled calls whose responses have an ETag. */
const PATHS = [calls.pairs.path, calls.spotTicker.path]
/** More than the pairs and the symbols that there are. */
const MAX_KEPT = 20

interface Kept {
  readonly etag: string
  readonly text: string
}

/** Sends the last ETag with each poll. If the server reports no change, returns the last response. */
export function askOnlyForChanges(port: typeof transport): void {
  const { send } = port
  const kept = new Map<string, Kept>()
  port.send = async (url, init) => {
    if (!PATHS.some((path) => url.endsWith(path))) return send(url, init)
    const key = `${init.headers['Accept-Language']} ${url} ${init.body}`
    const before = kept.get(key)
    const headers = before ? { ...init.headers, 'If-None-Match': before.etag } : init.headers
    const response = await send(url, { ...init, headers })
    if (before && response.status === 304) return new Response(before.text)
    const etag = response.headers.get('etag')
    if (!etag || response.status !== 200) return response
    const text = await response.text()
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, { etag, text })
    return new Response(text)
  }
}
