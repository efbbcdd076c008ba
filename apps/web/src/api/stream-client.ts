import { createEventParser, type ServerEvent } from './event-parser.ts'

/** A comment comes each 15 s at the latest: after this long without one the connection is dead. */
const SILENCE_MS = 20_000
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000

export interface Wanted {
  readonly channels: readonly string[]
  /** Needed for `account`. */
  readonly token: string | undefined
}

export interface StreamClient {
  /** What to listen to from now on; nothing where no channel is named. */
  want(wanted: Wanted): void
  /** Lets the connection go for a while: the page is hidden, or there is no network. */
  pause(): void
  /** Connects at once, however long it was to wait. */
  resume(): void
}

/** `listening` once what is wanted is listened to; `changing` while another thing is, or nothing; `lost` where it failed. */
export type StreamState = 'listening' | 'changing' | 'lost'

/**
 * One stream that stays: it comes back by itself, later each time and never at the same moment as everyone else, or when
 * the server says, and then begins after the last event that it got.
 *
 * @param connect `fetch`, of the stream's path with this query.
 */
export function createStreamClient(deps: {
  connect: (query: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>
  random: () => number
  onEvent: (event: ServerEvent) => void
  onState: (state: StreamState) => void
  /** A stream begins. One that is resumed tells what has an id from where the last one ended, and nothing of what has none. */
  onBegin: (isResumed: boolean) => void
}): StreamClient {
  const { connect, random, onEvent, onState, onBegin } = deps
  let wanted: Wanted = { channels: [], token: undefined }
  let isPaused = false
  let state: StreamState = 'changing'
  let failures = 0
  let retryMs: number | undefined
  let lastEventId: string | undefined
  let underWay: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function turn(next: StreamState): void {
    if (state === next) return
    state = next
    onState(next)
  }

  /** Leaves what is open and begins anew, now or after a while. */
  function restart(next: 'changing' | 'lost', delayMs: number | undefined): void {
    clearTimeout(timer)
    underWay?.abort()
    underWay = undefined
    turn(next)
    if (isPaused || wanted.channels.length === 0 || delayMs === undefined) return
    timer = setTimeout(() => void listen(), delayMs)
  }

  /** A server that ends tells when; else each time twice as long. Half of it is left to chance. */
  function nextDelayMs(): number {
    const delayMs = retryMs ?? Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS)
    failures += 1
    retryMs = undefined
    return delayMs * (0.5 + random() / 2)
  }

  async function listen(): Promise<void> {
    const own = new AbortController()
    underWay = own
    const isCurrent = () => underWay === own
    try {
      const isResumed = lastEventId !== undefined
      const response = await within(own, open(own.signal))
      if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
        const isFinal = await readRefusal(response)
        // What is asked for is refused for good: until something else is asked for.
        if (isCurrent()) restart('lost', isFinal ? undefined : nextDelayMs())
        return
      }
      await read(response.body, own, isCurrent, isResumed)
    } catch {
      // A failure and an end are the same here.
    }
    if (isCurrent()) restart('lost', nextDelayMs())
  }

  function open(signal: AbortSignal): Promise<Response> {
    const query = new URLSearchParams({ channels: wanted.channels.join(',') })
    if (lastEventId !== undefined) query.set('last_event_id', lastEventId)
    const headers: Record<string, string> = { 'XX-Device-Type': 'web', Accept: 'text/event-stream' }
    if (wanted.token) headers['XX-Token'] = wanted.token
    return connect(`?${query}`, { headers, signal })
  }

  async function read(
    body: ReadableStream<Uint8Array>,
    own: AbortController,
    isCurrent: () => boolean,
    isResumed: boolean,
  ): Promise<void> {
    const decoder = new TextDecoder()
    const reader = body.getReader()
    const parse = createEventParser({
      onEvent(event) {
        if (!isCurrent()) return
        if (event.event === 'ready') {
          failures = 0
          turn('listening')
          onBegin(isResumed)
        } else onEvent(event)
      },
      onId(id) {
        if (isCurrent()) lastEventId = id
      },
      onRetry(ms) {
        if (isCurrent()) retryMs = ms
      },
    })
    for (;;) {
      const { done, value } = await within(own, reader.read())
      if (done || !isCurrent()) return
      parse(decoder.decode(value, { stream: true }))
    }
  }

  /** @returns whether asking again would be refused again. */
  async function readRefusal(response: Response): Promise<boolean> {
    const seconds = Number(response.headers.get('retry-after'))
    if (seconds > 0) retryMs = Math.min(seconds * 1_000, 10 * MAX_DELAY_MS)
    const { code } = (await response.json()) as { code?: unknown }
    return code === 20000 || code === 10001
  }

  return {
    want(next) {
      const isSame = next.token === wanted.token && next.channels.join() === wanted.channels.join()
      if (isSame) return
      if (next.token !== wanted.token) lastEventId = undefined
      wanted = next
      failures = 0
      restart('changing', 0)
    },
    pause() {
      isPaused = true
      restart('changing', undefined)
    },
    resume() {
      if (!isPaused && (underWay || wanted.channels.length === 0)) return
      isPaused = false
      failures = 0
      restart('changing', 0)
    },
  }
}

/** Gives up what says nothing for too long. */
async function within<Value>(own: AbortController, work: Promise<Value>): Promise<Value> {
  const timer = setTimeout(() => own.abort(), SILENCE_MS)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
