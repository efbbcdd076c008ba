import type { Envelope } from '@clearwell/api/codes'
import { NotReady } from '@clearwell/ledger/writer'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refusal } from '../ledger/refuse.ts'
import { COMMANDS_PATH, type CommandLine, LINES_TYPE, MOST_COMMANDS } from '../servers/command-lines.ts'
import { createServerPoster } from '../servers/post-to-server.ts'
import { createServerSeal, FORWARDED } from '../servers/server-seal.ts'
import { createApp } from './create-app.ts'
import type { AnsweredRequest } from './observe-requests.ts'

type OutcomeOf = { readonly at: number; readonly status: number; readonly body: Envelope }

const user = { id: '0xabc', parentId: null, tokenHash: 'hash' }
const seal = createServerSeal({ secret: undefined, clock: { now: () => new Date('2026-11-24T09:00:00Z') } })

let app: FastifyInstance
let calls: { payload: unknown; context: unknown }[]
let answered: AnsweredRequest[]
/** Ends the slow command. */
let finish: () => void

beforeEach(async () => {
  calls = []
  answered = []
  app = await createApp({
    handlers: {
      sell: (payload: unknown, context: unknown) => {
        calls.push({ payload, context })
        return { order_id: '5' }
      },
      buy: () => {
        throw refusal('not_open', { opens_at: 'tomorrow' })
      },
      pledge: () => Promise.reject(new NotReady('no longer the leader')),
      repay: () => new Promise((resolve) => (finish = () => resolve({ slow: true }))),
      userinfo: () => ({ id: user.id }),
    },
    findSession: async (token) => (token === 'good' ? user : undefined),
    verifyForwarded: (request) => seal.verify(request, 'this server'),
    failingParts: () => [],
    onBug: () => {},
    onAnswered: (request) => answered.push(request),
    requestsPerMinute: 1,
    webFolder: undefined,
    connectOrigins: [],
    productName: 'Clearwell',
  })
})
afterEach(() => app.close())

const line = (call: string, payload: object, more: Partial<CommandLine> = {}): CommandLine => ({
  ...{ call, payload: JSON.stringify(payload), key: 'key-00001', token: 'good', language: 'en' },
  ...{ client: '192.0.2.7', trace: '0c3f2b1a-0000-4000-8000-000000000000' },
  ...more,
})
const SELL = { asset: 'BNB', amount: '1' }

/** Sends lines as another server of the ledger. */
async function send(
  lines: readonly (CommandLine | string)[],
  { to = 'this server', sent = (body: string) => body } = {},
) {
  const body = lines.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
  const signed = { method: 'POST', path: COMMANDS_PATH, headers: {}, body, clientAddress: '0.0.0.0' }
  const headers = { 'content-type': LINES_TYPE, [FORWARDED]: seal.sign(signed, to) }
  return app.inject({ method: 'POST', url: COMMANDS_PATH, headers, payload: sent(body) })
}

const outcomesOf = ({ body }: { body: string }): OutcomeOf[] =>
  body
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each) as OutcomeOf)
    .toSorted((a, b) => a.at - b.at)

test('each command runs with its own caller, and has its own outcome', async () => {
  const response = await send([
    line('/Wallet/sell', SELL),
    line('/Wallet/sell', SELL, { token: 'unknown' }),
    line('/Wallet/buy', SELL),
    line('/Wallet/sell', { asset: 'BNB' }),
    line('/profile/userinfo', {}),
    line('/Wallet/sell', SELL, { key: 'short' }),
  ])
  expect(outcomesOf(response).map(({ status, body: { code } }) => [status, code])).toEqual([
    [200, 1],
    [200, 10001],
    [200, 20008],
    [400, 20000],
    [404, 20009],
    [400, 20000],
  ])
  expect(calls).toEqual([
    { payload: SELL, context: { locale: 'en', idempotencyKey: 'key-00001', user, clientAddress: '192.0.2.7' } },
  ])
  expect(answered.map(({ call, code }) => [call, code])).toContainEqual(['sell', 1])
})

test('an outcome is sent before the slowest command has one', async () => {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const body = [line('/Wallet/sell', SELL), line('/Stake/repay', { order_id: '1', amount: '1' })]
    .map((each) => JSON.stringify(each))
    .join('\n')
  const signed = { method: 'POST', path: COMMANDS_PATH, headers: {}, body, clientAddress: '0.0.0.0' }
  const headers = { [FORWARDED]: seal.sign(signed, 'this server') }
  const post = createServerPoster({ ca: undefined })
  const response = await post({ url: `${url}${COMMANDS_PATH}`, headers, body, timeoutMs: 30_000, type: LINES_TYPE })
  const chunks = response[Symbol.asyncIterator]()
  const read = async () => JSON.parse(String((await chunks.next()).value)) as OutcomeOf
  expect(await read()).toMatchObject({ at: 0, body: { code: 1 } })
  finish()
  expect(await read()).toMatchObject({ at: 1, body: { data: { slow: true } } })
})

test('a server that leads no longer says so for each command', async () => {
  const [outcome] = outcomesOf(await send([line('/Stake/pledge', SELL)]))
  expect(outcome).toMatchObject({ status: 503, body: { code: 50300 } })
})

test.each([
  ['for another server', { to: 'another server' }],
  ['with a changed body', { sent: (body: string) => body.replace('"1', '"9') }],
])('commands %s are refused', async (_name, change) => {
  const response = await send([line('/Wallet/sell', SELL)], change)
  expect(response.json()).toMatchObject({ code: 20000 })
  expect(calls).toEqual([])
})

test.each([
  ['no JSON', ['{']],
  ['no command', ['{"call":"/Wallet/sell"}']],
  ['too many commands', Array.from({ length: MOST_COMMANDS + 1 }, () => line('/Wallet/sell', SELL))],
])('a request with %s is refused as a whole', async (_name, lines) => {
  expect((await send(lines)).json()).toMatchObject({ code: 20000 })
  expect(calls).toEqual([])
})

test.each([
  ['a command', JSON.stringify(line('/Wallet/sell', SELL))],
  ['a body that would take long to read', `${'{}\n'.repeat(30_000)}{}`],
])('the public finds nothing at the path, with %s', async (_name, payload) => {
  const headers = { 'content-type': LINES_TYPE }
  const response = await app.inject({ method: 'POST', url: COMMANDS_PATH, headers, payload })
  expect([response.statusCode, response.json().code]).toEqual([404, 20009])
})

test('no other call takes lines of commands', async () => {
  const headers = { 'content-type': LINES_TYPE, 'xx-token': 'good', 'accept-language': 'en' }
  const response = await app.inject({ method: 'POST', url: '/api/Wallet/sell', headers, payload: '{}' })
  expect(response.json().data).toEqual({ fields: { 'Content-Type': 'no form and not JSON' } })
})
