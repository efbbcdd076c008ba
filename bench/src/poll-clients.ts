import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How often our own client asks where it polls (specification §9). */
const PAIRS_POLL_MS = 3_000
const TICKER_POLL_MS = 1_500
const CONNECT_AT_ONCE = 50

/** A value that a client received, with its time. */
export interface Seen {
  readonly atMs: number
  readonly body: string
}

/** Clients of one kind, all from addresses of their own. */
export interface Clients {
  readonly clients: number
  /** The values of each channel that the first clients received; further clients only count. */
  readonly pairs: Seen[][]
  readonly tickers: Seen[][]
  /** Returns the number of responses or frames so far. */
  count(): number
  close(): void
}

/** How many are looked at closely: what they see is read whole, which costs the client more than the server. */
const WATCHED = 20

const emptyRecords = () => Array.from({ length: WATCHED }, (): Seen[] => [])

/** Clients that listen: each keeps one stream open. */
export async function openStreams(url: URL, count: number): Promise<Clients> {
  const [pairs, tickers] = [emptyRecords(), emptyRecords()]
  const sockets: Socket[] = []
  let frames = 0
  for (let index = 0; index < count; index++) {
    const socket = connect(Number(url.port), url.hostname)
    sockets.push(socket)
    socket.on('error', fail)
    socket.write(request('GET', '/api/stream?channels=pairs,ticker:BNBUSDT', index))
    if (index >= WATCHED) socket.on('data', () => frames++)
    else watch(socket, pairs[index] as Seen[], tickers[index] as Seen[], () => frames++)
    if (index % CONNECT_AT_ONCE === 0) await sleep(20)
  }
  return { clients: count, pairs, tickers, count: () => frames, close: () => closeAll(sockets) }
}

function watch(socket: Socket, pairs: Seen[], tickers: Seen[], onFrame: () => void): void {
  let rest = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    onFrame()
    for (const block of blocks) {
      const event = /^event: (\S+)$/m.exec(block)?.[1]
      const seen = { atMs: Date.now(), body: /^data: (.*)$/m.exec(block)?.[1] ?? '' }
      if (event === 'pairs') pairs.push(seen)
      else if (event?.startsWith('ticker:')) tickers.push(seen)
    }
  })
}

/** Opens clients that poll both calls, each on its own schedule. */
export async function openPollers(url: URL, count: number, { withEtag }: { withEtag: boolean }): Promise<Clients> {
  const [pairs, tickers] = [emptyRecords(), emptyRecords()]
  const sockets: Socket[] = []
  let isOpen = true
  let responses = 0
  const poll = async (caller: Caller, path: string, everyMs: number, record: Seen[] | undefined) => {
    await sleep(Math.random() * everyMs)
    for (let dueMs = performance.now(); isOpen; dueMs += everyMs) {
      const body = await caller.ask(path)
      if (!isOpen) return
      responses++
      if (body !== undefined) record?.push({ atMs: Date.now(), body })
      await sleep(Math.max(0, dueMs + everyMs - performance.now()))
    }
  }
  for (let index = 0; index < count; index++) {
    const socket = connect(Number(url.port), url.hostname)
    sockets.push(socket)
    const caller = new Caller(socket, index, withEtag)
    void poll(caller, '/api/SwapPool/pairs', PAIRS_POLL_MS, pairs[index])
    void poll(caller, '/api/spot/ticker', TICKER_POLL_MS, tickers[index])
    if (index % CONNECT_AT_ONCE === 0) await sleep(20)
  }
  return {
    clients: count,
    pairs,
    tickers,
    count: () => responses,
    close() {
      isOpen = false
      closeAll(sockets)
    },
  }
}

/** One keep-alive connection on which one call follows the other. */
class Caller {
  readonly #socket: Socket
  readonly #index: number
  readonly #etags: Map<string, string> | undefined
  #received: Buffer = Buffer.alloc(0)
  #last: Promise<unknown> = Promise.resolve()
  #acknowledged: ((response: { status: number; etag: string | undefined; body: string }) => void) | undefined

  constructor(socket: Socket, index: number, withEtag: boolean) {
    this.#socket = socket
    this.#index = index
    this.#etags = withEtag ? new Map() : undefined
    socket.setNoDelay(true).on('error', fail)
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** @returns the data of the envelope, or nothing where it is the same as before. */
  ask(path: string): Promise<string | undefined> {
    const asked = this.#last.then(() => this.#exchange(path))
    this.#last = asked
    return asked
  }

  async #exchange(path: string): Promise<string | undefined> {
    const known = this.#etags?.get(path)
    const { status, etag, body } = await new Promise<{ status: number; etag: string | undefined; body: string }>(
      (resolve) => {
        this.#acknowledged = resolve
        this.#socket.write(request('POST', path, this.#index, known))
      },
    )
    if (status === 304) return undefined
    if (status !== 200 || !body.startsWith('{"code":1,')) throw new Error(`${path} answered ${status} ${body}`)
    if (etag !== undefined) this.#etags?.set(path, etag)
    return body.slice(body.indexOf('"data":') + 7, -1)
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.#received.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (this.#received.length < end + 4 + length) return
    const body = this.#received.toString('utf8', end + 4, end + 4 + length)
    this.#received = this.#received.subarray(end + 4 + length)
    this.#acknowledged?.({ status: Number(head.slice(9, 12)), etag: /\r\netag: (\S+)/i.exec(head)?.[1], body })
  }
}

function request(method: 'GET' | 'POST', path: string, index: number, etag?: string): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    // Behind a proxy, as users are: each client has its own address and its own limits.
    `X-Forwarded-For: 10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    'XX-Device-Type: web',
    'Accept-Language: en',
    ...(etag === undefined ? [] : [`If-None-Match: ${etag}`]),
    ...(method === 'POST' ? ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0'] : []),
    '',
    '',
  ].join('\r\n')
}

function closeAll(sockets: readonly Socket[]): void {
  for (const socket of sockets)
    socket
      .off('error', fail)
      .on('error', () => {})
      .destroy()
}

/** A client that breaks makes the figure worth nothing. */
function fail(error: Error): void {
  throw error
}
