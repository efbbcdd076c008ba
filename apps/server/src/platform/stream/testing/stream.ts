import { type ClientRequest, type IncomingMessage, request } from 'node:http'

export interface ReceivedEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: unknown
}

/** A stream read by an independent client, for tests. */
export interface TestStream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** All received text, including the envelope of a refusal. */
  text(): string
  readonly events: ReceivedEvent[]
  /** The received events with this name. */
  of(event: string): ReceivedEvent[]
  /** Resolves with the first event of this name that the test has not taken yet. */
  next(event: string): Promise<ReceivedEvent>
  readonly ended: Promise<void>
  close(): void
}

/** Opens `GET /api/stream` and resolves once the head has arrived. */
export async function openStream(
  baseUrl: string,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestStream> {
  let sent: ClientRequest | undefined
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent = request(`${baseUrl}/api/stream?${query}`, { headers: { 'accept-language': 'en', ...headers }, agent: false })
    sent.once('response', resolve).once('error', reject).end()
  })
  let text = ''
  let rest = ''
  const events: ReceivedEvent[] = []
  const taken = new Set<ReceivedEvent>()
  const waiting = new Set<() => void>()
  const wakeAll = () => {
    for (const wake of waiting) wake()
  }
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      const event = field('event')
      if (event !== undefined) events.push({ event, id: field('id'), data: JSON.parse(field('data') ?? 'null') })
    }
    wakeAll()
  })
  let isEnded = false
  const ended = new Promise<void>((resolve) => {
    response.once('close', () => {
      isEnded = true
      wakeAll()
      resolve()
    })
  })
  response.on('error', () => {})
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events,
    of: (event) => events.filter((each) => each.event === event),
    async next(event) {
      for (;;) {
        const found = events.find((each) => each.event === event && !taken.has(each))
        if (found) {
          taken.add(found)
          return found
        }
        if (isEnded) throw new Error(`the stream ended without another ${event}; it said: ${text}`)
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake)
            resolve()
          }
          waiting.add(wake)
        })
      }
    },
    ended,
    close: () => sent?.destroy(),
  }
}
