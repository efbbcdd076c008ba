import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from './steady-load.ts'

/** Waits this long where the server has sent no delay. */
const RETRY_MS = 1_000

export interface StreamReader {
  /** The ids of the user's entries that have arrived, without repetitions. */
  readonly entries: ReadonlySet<string>
  /** Responses that were no stream, connections that failed, and events that say that entries were missed. */
  readonly faults: readonly string[]
  /** True once the first stream is open: it sends all later entries. */
  readonly hasBegun: boolean
  /** How often it has connected. */
  readonly connections: number
  stop(): Promise<void>
}

/** Reads a user's stream and connects again after each end, as a browser does. */
export function readStream({ url, ca }: Client, token: string): StreamReader {
  const entries = new Set<string>()
  const faults: string[] = []
  const stopping = new AbortController()
  let hasBegun = false
  let connections = 0
  let retryMs = RETRY_MS
  let lastId: string | undefined

  function take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const [event, id, retry] = [field('event'), field('id'), field('retry')]
    if (retry !== undefined) retryMs = Number(retry)
    if (id !== undefined) lastId = id
    if (event === 'ready') hasBegun = true
    if (event === 'entry' && id !== undefined) entries.add(id)
    if (event === 'reset') faults.push('entries were missed')
  }

  async function connectOnce(): Promise<void> {
    connections++
    retryMs = RETRY_MS
    const headers = { 'xx-token': token, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) }
    const response = await openResponse({ url, ca }, headers, stopping.signal)
    if (response.statusCode !== 200) faults.push(`status ${response.statusCode}`)
    let rest = ''
    try {
      for await (const piece of response.setEncoding('utf8')) {
        const blocks = (rest + String(piece)).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) take(block)
      }
    } catch {
      // A server that was killed cuts its streams.
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await connectOnce()
        await wait(retryMs, undefined, { signal: stopping.signal })
      } catch (error) {
        if (stopping.signal.aborted) return
        faults.push(String(error))
        await wait(RETRY_MS)
      }
    }
  }

  const running = run()
  return {
    entries,
    faults,
    get hasBegun() {
      return hasBegun
    },
    get connections() {
      return connections
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Resolves with the head of the stream's response. */
function openResponse(
  { url, ca }: Client,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(`${url}/api/stream?channels=account,pairs`, { headers, ca, agent: false, signal })
      .on('error', reject)
      .once('response', resolve)
      .end()
  })
}
