import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { CANDLE_MS, type CandleInterval } from '@clearwell/rules/candle'

/** Source: RFC 6455, 1.3. */
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
/** Opcodes of frames, from the same source, 5.2. */
const TEXT = 0x1
const CLOSE = 0x8
const PING = 0x9
const PONG = 0xa

/** The 24 hours of a symbol as the exchange writes them. */
export interface TestDay {
  c: string
  o: string
  h: string
  l: string
  v: string
}

export interface TestQuestion {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

/** How a response differs from an honest one: text is sent unchanged, `hang` never ends, `cut` breaks off half-way. */
export interface TestLie {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly hang?: boolean
  readonly cut?: boolean
}

/** An exchange on this machine that speaks Binance's protocols, honestly or not. */
export interface TestBinance {
  readonly restUrl: string
  readonly streamUrl: string
  readonly days: Map<string, TestDay>
  /** Before this it has no candles. */
  listedMs: number
  /** Where it has no candle though it was listed. */
  isHole: (startMs: number) => boolean
  lie: ((question: TestQuestion) => TestLie | undefined) | undefined
  readonly asked: TestQuestion[]
  /** The streams that were asked for, one for each connection. */
  readonly streams: string[]
  /** True if the stream accepts connections. */
  takesStreams: boolean
  readonly openStreams: number
  readonly pongs: readonly string[]
  /** Sends a ticker message to every connection. */
  say(symbol: string, changes?: Readonly<Record<string, unknown>>, stream?: string): void
  sayText(text: string): void
  ping(payload: string): void
  /** Breaks every connection off. */
  drop(): void
  stop(): Promise<void>
}

/** @param now the exchange's own clock. */
export async function startTestBinance(now: () => number): Promise<TestBinance> {
  const sockets = new StreamSockets()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://exchange')
    const question = { path: url.pathname, query: Object.fromEntries(url.searchParams) }
    binance.asked.push(question)
    send(response, honestResponse(binance, question, now()), binance.lie?.(question))
  })
  server.on('upgrade', (request, socket: Socket) => {
    binance.streams.push(new URL(request.url ?? '/', 'http://exchange').searchParams.get('streams') ?? '')
    // A client that disconnects half-way is no fault of the test.
    socket.on('error', () => {})
    if (binance.takesStreams) sockets.accept(request.headers['sec-websocket-key'] ?? '', socket)
    else socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const binance: TestBinance = {
    restUrl: `http://${host}`,
    streamUrl: `ws://${host}`,
    days: new Map([
      ['BNBUSDT', { c: '620.50000000', o: '600.00000000', h: '631.00000000', l: '598.25000000', v: '184350.25100000' }],
      ['ETHUSDT', { c: '3300.10000000', o: '3400.00000000', h: '3450.00000000', l: '3250.00000000', v: '92000.5' }],
    ]),
    listedMs: 0,
    isHole: () => false,
    lie: undefined,
    asked: [],
    streams: [],
    takesStreams: true,
    get openStreams() {
      return sockets.count
    },
    pongs: sockets.pongs,
    say(symbol, changes = {}, stream = `${symbol.toLowerCase()}@ticker`) {
      const data = { e: '24hrTicker', E: now(), s: symbol, P: '-1.250', ...binance.days.get(symbol), ...changes }
      sockets.send(TEXT, JSON.stringify({ stream, data }))
    },
    sayText: (text) => sockets.send(TEXT, text),
    ping: (payload) => sockets.send(PING, payload),
    drop: () => sockets.destroy(),
    async stop() {
      sockets.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return binance
}

/** The open WebSocket connections. */
class StreamSockets {
  readonly pongs: string[] = []
  readonly #open = new Set<Duplex>()

  get count(): number {
    return this.#open.size
  }

  accept(key: string, socket: Socket): void {
    const accept = createHash('sha1')
      .update(key + WEBSOCKET_GUID)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    )
    this.#open.add(socket)
    socket.on('close', () => this.#open.delete(socket))
    socket.on('data', (data) => {
      for (const { opcode, payload } of framesIn(data)) {
        if (opcode === PONG) this.pongs.push(payload.toString())
        if (opcode === CLOSE) socket.end(frame(CLOSE, payload))
      }
    })
  }

  send(opcode: number, text: string): void {
    for (const socket of this.#open) socket.write(frame(opcode, Buffer.from(text)))
  }

  destroy(): void {
    for (const socket of this.#open) socket.destroy()
  }
}

type History = Pick<TestBinance, 'days' | 'listedMs' | 'isHole'>

/** Returns the real exchange's response; `undefined` for an unknown path. */
function honestResponse(history: History, { path, query }: TestQuestion, nowMs: number): unknown {
  switch (path) {
    case '/api/v3/time':
      return { serverTime: nowMs }
    case '/api/v3/ticker/24hr':
      return (JSON.parse(query.symbols ?? '[]') as string[]).map((symbol) => {
        const { c, o, h, l, v } = history.days.get(symbol) as TestDay
        const day = { lastPrice: c, openPrice: o, highPrice: h, lowPrice: l, volume: v, closeTime: nowMs }
        return { symbol, priceChangePercent: '-1.250', ...day, count: 18151 }
      })
    case '/api/v3/klines':
      return honestKlines(history, query, nowMs)
    default:
      return undefined
  }
}

function honestKlines(
  { listedMs, isHole }: History,
  { interval, startTime, endTime, limit }: TestQuestion['query'],
  nowMs: number,
): unknown[] {
  const intervalMs = CANDLE_MS[interval as CandleInterval]
  const lastMs = Math.min(Number(endTime), nowMs)
  const starts: number[] = []
  const isThere = (startMs: number) => startMs >= listedMs && !isHole(startMs)
  if (startTime === undefined) {
    let startMs = Math.floor(lastMs / intervalMs) * intervalMs
    for (; startMs >= listedMs && starts.length < Number(limit); startMs -= intervalMs)
      if (isThere(startMs)) starts.unshift(startMs)
  } else {
    let startMs = Math.max(Math.ceil(Number(startTime) / intervalMs), Math.ceil(listedMs / intervalMs))
    for (startMs *= intervalMs; startMs <= lastMs && starts.length < Number(limit); startMs += intervalMs)
      if (isThere(startMs)) starts.push(startMs)
  }
  return starts.map((startMs) => testKline(startMs, intervalMs, nowMs))
}

/** Returns the candle that starts at a time. Each candle is different, and the open one grows. */
export function testKline(startMs: number, intervalMs: number, nowMs: number): unknown[] {
  const at = (timeMs: number) => 500 + ((timeMs / 60_000) % 97)
  const [open, close] = [at(startMs), at(Math.min(startMs + intervalMs, nowMs))]
  const text = (price: number) => price.toFixed(8)
  const volume = Math.min(intervalMs, Math.max(0, nowMs - startMs)) / 1_000
  const prices = [text(open), text(Math.max(open, close) + 1), text(Math.min(open, close) - 1), text(close)]
  return [startMs, ...prices, volume.toFixed(8), startMs + intervalMs - 1, '1.0', 18, '1.0', '1.0', '0']
}

function send(response: ServerResponse, honest: unknown, lie: TestLie = {}): void {
  if (lie.hang) return
  const body = 'body' in lie ? lie.body : honest
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? { code: -1121, msg: 'Invalid symbol.' })
  const headers = { 'content-type': 'application/json', 'x-mbx-used-weight-1m': '12', ...lie.headers }
  response.writeHead(lie.status ?? (body === undefined ? 400 : 200), { ...headers, 'content-length': text.length })
  if (lie.cut) response.write(text.slice(0, text.length / 2), () => response.destroy())
  else response.end(text)
}

/** A whole frame from the server, which masks nothing. */
function frame(opcode: number, payload: Buffer): Buffer {
  if (payload.length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload])
  const head = Buffer.alloc(payload.length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = head.length === 4 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(payload.length, 2)
  else head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}

/** The short masked frames that a client sends: pongs and closings. */
function* framesIn(data: Buffer): Generator<{ opcode: number; payload: Buffer }> {
  for (let at = 0; at + 6 <= data.length; ) {
    const length = (data[at + 1] as number) & 0x7f
    const mask = data.subarray(at + 2, at + 6)
    const payload = Buffer.from(data.subarray(at + 6, at + 6 + length))
    for (const [index, byte] of payload.entries()) payload[index] = byte ^ (mask[index % 4] as number)
    yield { opcode: (data[at] as number) & 0x0f, payload }
    at += 6 + length
  }
}
