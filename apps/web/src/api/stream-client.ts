import type { ServerEvent } from './event-parser.ts'
import { followConnection } from './stream-connection.ts'

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000

export interface Wanted {
  readonly channels: readonly string[]
  /** Needed for `account`. */
  readonly token: string | undefined
}

export interface StreamClient {
  /** Sets the channels from now on; without one there is no connection. */
  want(wanted: Wanted): void
  /** Disconnects until `resume`: the page is hidden, or there is no network. */
  pause(): void
  /** Connects immediately, however long the next retry would wait. */
  resume(): void
}

/** `listening` to the wanted channels; `changing` to others, or to none; `lost` after a failure. */
export type StreamState = 'listening' | 'changing' | 'lost'

interface StreamClientDeps {
  /** `fetch`, of the stream's path with this query. */
  readonly connect: (query: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>
  readonly random: () => number
  readonly onEvent: (event: ServerEvent) => void
  readonly onState: (state: StreamState) => void
  /** A stream begins. A resumed one repeats events that have an id from its last one on, and no others. */
  readonly onBegin: (isResumed: boolean) => void
}

/**
 * A stream that reconnects automatically and resumes after the last event that it received. The delay doubles with each
 * failure, with a random part so that clients do not return together, unless the server names one.
 */
export function createStreamClient(deps: StreamClientDeps): StreamClient {
  const backoff = createBackoff(deps.random)
  let wanted: Wanted = { channels: [], token: undefined }
  let isPaused = false
  let state: StreamState = 'changing'
  let lastEventId: string | undefined
  let current: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Drops the connection and opens another after a delay; without a delay, none. */
  function restart(next: 'changing' | 'lost', delayMs: number | undefined): void {
    clearTimeout(timer)
    current?.abort()
    current = undefined
    changeState(next)
    if (isPaused || wanted.channels.length === 0 || delayMs === undefined) return
    timer = setTimeout(() => void listen(), delayMs)
  }

  async function listen(): Promise<void> {
    const connection = new AbortController()
    current = connection
    const isResumed = lastEventId !== undefined
    const { query, headers } = requestFor(wanted, lastEventId)
    const end = await followConnection(connection, (signal) => deps.connect(query, { headers, signal }), {
      onReady() {
        backoff.reset()
        changeState('listening')
        deps.onBegin(isResumed)
      },
      onEvent: deps.onEvent,
      onId: (id) => {
        lastEventId = id
      },
      onRetry: backoff.use,
    })
    if (current === connection) restart('lost', end === 'rejected' ? undefined : backoff.nextMs())
  }

  function changeState(next: StreamState): void {
    if (state === next) return
    state = next
    deps.onState(next)
  }

  return {
    want(next) {
      if (next.token === wanted.token && next.channels.join() === wanted.channels.join()) return
      if (next.token !== wanted.token) lastEventId = undefined
      wanted = next
      backoff.reset()
      restart('changing', 0)
    },
    pause() {
      isPaused = true
      restart('changing', undefined)
    },
    resume() {
      if (!isPaused && (current || wanted.channels.length === 0)) return
      isPaused = false
      backoff.reset()
      restart('changing', 0)
    },
  }
}

function requestFor(
  { channels, token }: Wanted,
  lastEventId: string | undefined,
): { query: string; headers: Record<string, string> } {
  const query = new URLSearchParams({ channels: channels.join(',') })
  if (lastEventId !== undefined) query.set('last_event_id', lastEventId)
  const headers: Record<string, string> = { 'XX-Device-Type': 'web', Accept: 'text/event-stream' }
  if (token) headers['XX-Token'] = token
  return { query: `?${query}`, headers }
}

/** The delay before each retry: doubled per failure, or as the server said, and up to half of it at random. */
function createBackoff(random: () => number) {
  let failures = 0
  let serverMs: number | undefined
  return {
    nextMs(): number {
      const delayMs = serverMs ?? Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS)
      failures += 1
      serverMs = undefined
      return delayMs * (0.5 + random() / 2)
    },
    /** The server's own delay counts for the next retry. */
    use(ms: number): void {
      serverMs = ms
    },
    reset(): void {
      failures = 0
    },
  }
}
