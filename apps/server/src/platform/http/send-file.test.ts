import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { refusal } from '../ledger/refuse.ts'
import { type AppOptions, createApp } from './create-app.ts'
import { FILE_LIMITS, type FileLimits } from './send-file.ts'

let app: FastifyInstance | undefined
let bugs: unknown[] = []
afterEach(() => app?.close())

/** Serves a file of these pieces. Returns the port. */
async function serve(pieces: () => AsyncIterable<string>, options: Partial<AppOptions> = {}): Promise<number> {
  bugs = []
  app = await createApp({
    handlers: { logsCsv: () => ({ name: 'a.csv', type: 'text/csv; charset=utf-8', pieces: pieces() }) },
    findSession: async () => ({ id: '0xabc', parentId: null, tokenHash: 'hash' }),
    failingParts: () => [],
    onBug: (error) => bugs.push(error),
    requestsPerMinute: 1_000,
    webFolder: undefined,
    connectOrigins: [],
    productName: 'Clearwell',
    ...options,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

function ask(port: number, localAddress = '127.0.0.1'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ port, localAddress, path: '/api/Wallet/logs.csv', headers: { 'xx-token': 'good' } }, resolve).on(
      'error',
      reject,
    )
  })
}

/** Reads a response to its end, and the error it ended with. */
async function readAll(message: IncomingMessage): Promise<{ text: string; error: NodeJS.ErrnoException | undefined }> {
  let text = ''
  try {
    for await (const chunk of message) text += chunk
    return { text, error: undefined }
  } catch (error) {
    return { text, error: error as NodeJS.ErrnoException }
  }
}

test('a file of several pieces arrives complete', async () => {
  const message = await ask(
    await serve(async function* () {
      yield 'a\r\n'
      yield 'b\r\n'
    }),
  )
  expect(message.headers['content-disposition']).toBe('attachment; filename="a.csv"')
  expect(message.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(await readAll(message)).toEqual({ text: 'a\r\nb\r\n', error: undefined })
})

test('an error before the first piece is sent as an envelope', async () => {
  for (const [thrown, status, code] of [
    [refusal('not_found'), 404, 20009],
    [new TypeError('a secret'), 500, 50000],
  ] as const) {
    // biome-ignore lint/correctness/useYield: it fails before it has anything to yield.
    const port = await serve(async function* () {
      throw thrown
    })
    const message = await ask(port)
    const { text } = await readAll(message)
    expect([message.statusCode, JSON.parse(text).code]).toEqual([status, code])
    expect(message.headers['content-disposition']).toBeUndefined()
    await app?.close()
  }
})

test('a later error cuts the connection and is reported', async () => {
  const bug = new Error('the database went away')
  const message = await ask(
    await serve(async function* () {
      yield 'a\r\n'
      throw bug
    }),
  )
  const { text, error } = await readAll(message)
  expect(text).toBe('a\r\n')
  expect(error?.code).toBe('ECONNRESET')
  expect(bugs).toEqual([bug])
})

test('pieces are made while the client reads, none after it disconnects', async () => {
  const PIECE = 'x'.repeat(64 * 1024)
  let made = 0
  let ended: () => void = () => {}
  const isOver = new Promise<void>((resolve) => {
    ended = resolve
  })
  const message = await ask(
    await serve(async function* () {
      try {
        for (; made < 10_000; made++) yield PIECE
      } finally {
        ended()
      }
    }),
  )
  // Nothing is read: what the sockets take is far less than the 640 MB of the whole.
  for (let before = -1; before !== made; ) {
    before = made
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  expect(made).toBeLessThan(1_000)
  message.destroy()
  await isOver
  expect(made).toBeLessThan(1_000)
  expect(bugs).toEqual([])
})

test('a file counts toward the rate limit', async () => {
  const port = await serve(
    async function* () {
      yield 'a'
    },
    { requestsPerMinute: 1 },
  )
  expect((await readAll(await ask(port))).text).toBe('a')
  const second = await ask(port)
  expect(second.statusCode).toBe(429)
  expect(JSON.parse((await readAll(second)).text).code).toBe(42900)
})

/** Serves files that never end, and counts those that are being made. */
async function serveEndless(limits: Partial<FileLimits>): Promise<{ port: number; open: () => number }> {
  let open = 0
  const port = await serve(
    async function* () {
      open++
      try {
        for (;;) yield 'x'.repeat(64 * 1024)
      } finally {
        open--
      }
    },
    { fileLimits: { ...FILE_LIMITS, ...limits } },
  )
  return { port, open: () => open }
}

/**
 * @attack S13 One client opened as many files as it liked and took a byte every 50 seconds of each.
 * @holds An address receives 4 files at a time, and all clients 50.
 */
test('files of an address and of all are bounded', async () => {
  const { port, open } = await serveEndless({ perAddress: 2, inAll: 3 })
  const first = await ask(port)
  await ask(port)
  const refused = await ask(port)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
  expect(JSON.parse((await readAll(refused)).text).data).toEqual({ reason: 'files_of_address' })
  const other = await ask(port, '127.0.0.2')
  expect(other.statusCode).toBe(200)
  const full = await ask(port, '127.0.0.3')
  expect(JSON.parse((await readAll(full)).text).data).toEqual({ reason: 'files' })
  // A client that leaves makes room.
  first.destroy()
  await expect.poll(open).toBe(2)
  expect((await ask(port, '127.0.0.3')).statusCode).toBe(200)
})

/**
 * @attack S13 A client that took a few bytes now and then kept its file open without end.
 * @holds A client that takes less than the least speed for a while is disconnected.
 */
test('a file is cut when its client reads too slowly', async () => {
  const { port, open } = await serveEndless({ minBytesPerSecond: 50_000_000, stallMs: 300 })
  const message = await ask(port)
  // It reads now and then, so an idle time-out would never end it.
  const sip = setInterval(() => message.read(1_000), 20)
  message.once('error', () => {})
  await expect.poll(open).toBe(0)
  clearInterval(sip)
  message.destroy()
  expect(bugs).toEqual([])
})

test('a file arrives complete at the least speed', async () => {
  const PIECES = 20
  const port = await serve(
    async function* () {
      for (let piece = 0; piece < PIECES; piece++) {
        // The time in which the server makes a piece does not count.
        await new Promise((resolve) => setTimeout(resolve, 30))
        yield 'x'.repeat(1_000)
      }
    },
    { fileLimits: { ...FILE_LIMITS, stallMs: 250 } },
  )
  const { text, error } = await readAll(await ask(port))
  expect([text.length, error]).toEqual([PIECES * 1_000, undefined])
})

test('a file that fails at the start leaves its place', async () => {
  const port = await serve(
    // biome-ignore lint/correctness/useYield: it fails before the first piece.
    async function* () {
      throw refusal('not_ready')
    },
    { fileLimits: { ...FILE_LIMITS, perAddress: 1 } },
  )
  for (let file = 0; file < 3; file++) expect((await ask(port)).statusCode).toBe(503)
})

test('a stalled client is disconnected and its piece freed', async () => {
  const PIECE = 'x'.repeat(64 * 1024)
  let ended: () => void = () => {}
  const isOver = new Promise<void>((resolve) => {
    ended = resolve
  })
  const message = await ask(
    await serve(
      async function* () {
        try {
          for (;;) yield PIECE
        } finally {
          ended()
        }
      },
      { fileLimits: { ...FILE_LIMITS, stallMs: 200 } },
    ),
  )
  await isOver
  expect((await readAll(message)).error?.code).toBe('ECONNRESET')
  expect(bugs).toEqual([])
})

test('a stalled client does not keep the server from stopping', async () => {
  const PIECE = 'x'.repeat(64 * 1024)
  const message = await ask(
    await serve(async function* () {
      for (;;) yield PIECE
    }),
  )
  const end = new Promise((resolve) => message.once('error', resolve))
  await app?.close()
  app = undefined
  message.resume()
  await end
  expect(message.complete).toBe(false)
  expect(bugs).toEqual([])
}, 15_000)
