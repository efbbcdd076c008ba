import { createEventParser, type ServerEvent } from './event-parser.ts'

/** The server sends a comment at least each 15 s: after this long without one the connection is dead. */
const SILENCE_MS = 20_000
const MAX_RETRY_AFTER_MS = 300_000

interface ConnectionHandlers {
  /** The server has accepted the request. */
  onReady(): void
  onEvent(event: ServerEvent): void
  onId(id: string): void
  /** The server says how long to wait before the next connection. */
  onRetry(ms: number): void
}

/** `rejected`: the same request would be rejected again. `broken`: it may succeed. */
type ConnectionEnd = 'rejected' | 'broken'

/**
 * Follows one connection of the stream until it ends, fails, or is silent for 20 s.
 *
 * @param connection aborted by the caller to leave it; its handlers are not called any more then.
 */
export async function followConnection(
  connection: AbortController,
  open: (signal: AbortSignal) => Promise<Response>,
  handlers: ConnectionHandlers,
): Promise<ConnectionEnd> {
  const { signal } = connection
  try {
    const response = await unlessSilent(connection, open(signal))
    if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body)
      return await readRejection(response, (ms) => signal.aborted || handlers.onRetry(ms))
    await readEvents(response.body, connection, handlers)
  } catch {
    // A failure and an end are the same to the caller.
  }
  return 'broken'
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  connection: AbortController,
  { onReady, onEvent, onId, onRetry }: ConnectionHandlers,
): Promise<void> {
  const { signal } = connection
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const parse = createEventParser({
    onEvent(event) {
      if (signal.aborted) return
      if (event.event === 'ready') onReady()
      else onEvent(event)
    },
    onId: (id) => signal.aborted || onId(id),
    onRetry: (ms) => signal.aborted || onRetry(ms),
  })
  for (;;) {
    const { done, value } = await unlessSilent(connection, reader.read())
    if (done || signal.aborted) return
    parse(decoder.decode(value, { stream: true }))
  }
}

async function readRejection(response: Response, onRetry: (ms: number) => void): Promise<ConnectionEnd> {
  const seconds = Number(response.headers.get('retry-after'))
  if (seconds > 0) onRetry(Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS))
  const { code } = (await response.json()) as { code?: unknown }
  return code === 20000 || code === 10001 ? 'rejected' : 'broken'
}

/** Aborts the connection while `work` waits too long. */
async function unlessSilent<Value>(connection: AbortController, work: Promise<Value>): Promise<Value> {
  const timer = setTimeout(() => connection.abort(), SILENCE_MS)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
