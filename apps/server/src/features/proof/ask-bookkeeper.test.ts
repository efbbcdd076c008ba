import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createBookkeeperLink, refusalText } from './ask-bookkeeper.ts'

const KEY = privateKeyToAccount(`0x${'b0'.repeat(32)}`)
const OTHER = privateKeyToAccount(`0x${'b1'.repeat(32)}`)
const HEADER = { number: 7n, hash: `0x${'ab'.repeat(32)}` } as const
const NAMED = { number: '7', hash: HEADER.hash }

let server: Server
let url: string
let response: { status: number; body: unknown }
const alarms: string[] = []
let refusals = 0
const clock = { at: new Date('2026-11-28T05:00:00Z'), now: () => clock.at }
beforeAll(async () => {
  server = createServer((request, reply) => {
    expect(request.url).toBe('/headers/7')
    reply.writeHead(response.status).end(JSON.stringify(response.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})
beforeEach(() => {
  alarms.length = 0
  refusals = 0
})

function link(of = url) {
  return createBookkeeperLink(
    { url: of, address: KEY.address.toLowerCase() as `0x${string}`, token: Buffer.alloc(32) },
    { clock, onError: (error) => alarms.push((error as Error).message), onRefused: () => void refusals++ },
  )
}

test('returns the signature of the configured key', async () => {
  const signature = await KEY.sign({ hash: HEADER.hash })
  response = { status: 200, body: { ...NAMED, signature } }
  expect(await link().ask(HEADER)).toEqual({ signature })
})

test('returns a signed refusal, counts it and raises the alarm', async () => {
  const reason = 'entry 5 (swap) takes too much'
  const signature = await KEY.signMessage({ message: refusalText({ ...HEADER, reason }) })
  response = { status: 200, body: { ...NAMED, refusal: { reason, signature } } }
  expect(await link().ask(HEADER)).toEqual({ refusal: { reason, signature } })
  expect(refusals).toBe(1)
  expect(alarms).toEqual(['the bookkeeper refuses header 7: entry 5 (swap) takes too much'])
})

test.each([
  ['another key', async () => ({ ...NAMED, signature: await OTHER.sign({ hash: HEADER.hash }) })],
  [
    'another hash',
    async () => ({ ...NAMED, hash: `0x${'cd'.repeat(32)}`, signature: await KEY.sign({ hash: HEADER.hash }) }),
  ],
  ['another number', async () => ({ ...NAMED, number: '8', signature: await KEY.sign({ hash: HEADER.hash }) })],
  [
    'a refusal of another reason',
    async () => ({
      ...NAMED,
      refusal: { reason: 'b', signature: await KEY.signMessage({ message: refusalText({ ...HEADER, reason: 'a' }) }) },
    }),
  ],
  ['neither', async () => NAMED],
])('takes no statement of %s', async (_what, body) => {
  response = { status: 200, body: await body() }
  expect(await link().ask(HEADER)).toBe('none')
})

test('raises the alarm once a minute while a header waits', async () => {
  response = { status: 404, body: { waiting: 'the node is behind' } }
  const { ask, waitingSeconds } = link()
  for (const seconds of [0, 59, 1, 59, 1]) {
    clock.at = new Date(clock.at.getTime() + 1_000 * seconds)
    expect(await ask(HEADER)).toBe('none')
  }
  expect(waitingSeconds()).toBe(120)
  expect(alarms).toHaveLength(2)
  expect(alarms[0]).toContain('the node is behind')
})

test('waits for a bookkeeper that does not respond', async () => {
  expect(await link('http://127.0.0.1:9').ask(HEADER)).toBe('none')
})
