import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createCommandBatches, gatherMs } from './command-batches.ts'
import { type CommandLine, MOST_COMMANDS, outcomeLine } from './command-lines.ts'
import { createServerPoster } from './post-to-server.ts'
import { bodyHashOf, createServerSeal, FORWARDED } from './server-seal.ts'

const seal = createServerSeal({ secret: undefined, clock: { now: () => new Date('2026-11-24T09:00:00Z') } })
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

type Heard = { readonly lines: CommandLine[]; readonly isSigned: boolean }

/** A leader that says what `say` writes to each request. */
async function startLeader(say: (lines: readonly CommandLine[], response: ServerResponse) => void) {
  const heard: Heard[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { method = '', url: path = '', headers } = request
    const isSigned = seal.verify({ method, path, headers }, 'the leader')?.bodyHash === bodyHashOf(body)
    const lines = body.split('\n').map((line) => JSON.parse(line) as CommandLine)
    heard.push({ lines, isSigned })
    say(lines, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const leader = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, holder: 'the leader' }
  const refused: boolean[] = []
  const ask = createCommandBatches({
    ...{ seal, post: createServerPoster({ ca: undefined }), timeoutMs: 30_000 },
    onRefused: (isRefused) => refused.push(isRefused),
  })
  return { heard, refused, ask: (command: CommandLine) => ask(leader, command) }
}

const command = (key: string): CommandLine => ({
  call: '/Wallet/sell',
  payload: '{}',
  key,
  client: '192.0.2.7',
  trace: 't',
})
const outcome = (at: number, msg: string, status = 200) => `${outcomeLine(at, status, { code: 1, msg, data: {} })}\n`
const withMsg = (msg: string) => ({ status: 200, code: 1, body: JSON.stringify({ code: 1, msg, data: {} }) })

test('commands of one moment go together, and each gets its own outcome', async () => {
  const { ask, heard } = await startLeader((lines, response) => {
    const backwards = lines.map(({ key }, at) => outcome(at, key)).toReversed()
    response.end(backwards.join(''))
  })
  expect(await Promise.all(['one', 'two', 'three'].map((key) => ask(command(key))))).toEqual([
    withMsg('one'),
    withMsg('two'),
    withMsg('three'),
  ])
  expect(heard.map(({ lines, isSigned }) => [lines.length, isSigned])).toEqual([[3, true]])
})

test('a command does not wait for another one of its request', async () => {
  let finish = () => {}
  const { ask } = await startLeader((_lines, response) => {
    response.write(outcome(1, 'fast'))
    finish = () => response.end(outcome(0, 'slow'))
  })
  const slow = ask(command('slow'))
  expect(await ask(command('fast'))).toEqual(withMsg('fast'))
  finish()
  expect(await slow).toEqual(withMsg('slow'))
})

test('a leader that dies leaves only unsent outcomes unknown', async () => {
  const { ask } = await startLeader((_lines, response) => {
    response.write(outcome(0, 'done'), () => response.destroy())
  })
  expect(await Promise.all([ask(command('first')), ask(command('second'))])).toEqual([withMsg('done'), undefined])
})

test('an outcome that arrives in pieces is read whole', async () => {
  const { ask } = await startLeader(async (_lines, response) => {
    const bytes = Buffer.from(outcome(0, '明池 "at":7}') + outcome(1, 'second'))
    for (const byte of bytes) await new Promise<void>((resolve) => response.write(Buffer.of(byte), () => resolve()))
    response.end()
  })
  const outcomes = await Promise.all([ask(command('first')), ask(command('second'))])
  expect(outcomes).toEqual([withMsg('明池 "at":7}'), withMsg('second')])
})

test('a line that is no outcome leaves it unknown', async () => {
  const { ask } = await startLeader((_lines, response) => response.end('{"at":0,"status":200,"body":{"no":"code"}}\n'))
  expect(await ask(command('first'))).toBe(undefined)
})

test('a leader that is not ready gives no outcome', async () => {
  const { ask } = await startLeader((_lines, response) => response.end(outcome(0, 'not ready', 503)))
  expect(await ask(command('first'))).toBe(undefined)
})

test('a refused request is reported, and its commands have no outcome', async () => {
  const { ask, refused } = await startLeader((_lines, response) => {
    response.writeHead(400, { [FORWARDED]: 'refused' }).end('{}')
  })
  expect(await ask(command('first'))).toBe(undefined)
  expect(refused).toEqual([true])
})

test('a request has no more commands than the leader takes', async () => {
  const { ask, heard } = await startLeader((lines, response) => {
    response.end(lines.map(({ key }, at) => outcome(at, key)).join(''))
  })
  const keys = Array.from({ length: MOST_COMMANDS + 1 }, (_, index) => `key-${index}`)
  const outcomes = await Promise.all(keys.map((key) => ask(command(key))))
  expect(outcomes.map((each) => (JSON.parse(each?.body ?? '{}') as { msg?: string }).msg)).toEqual(keys)
  expect(heard.map(({ lines }) => lines.length).toSorted((a, b) => b - a)).toEqual([MOST_COMMANDS, 1])
})

test.each([
  { about: 'the first', tookMs: 0, sinceSentMs: Number.POSITIVE_INFINITY, waitMs: 0 },
  { about: 'one that follows no other', tookMs: 80, sinceSentMs: 8, waitMs: 0 },
  { about: 'one behind a quick request', tookMs: 20, sinceSentMs: 0.5, waitMs: 1.5 },
  { about: 'one behind a slow request', tookMs: 4_000, sinceSentMs: 1, waitMs: 9 },
])('$about waits $waitMs ms for others', ({ tookMs, sinceSentMs, waitMs }) => {
  expect(gatherMs({ tookMs, sinceSentMs })).toBe(waitMs)
})
