import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createBookkeeperLink, refusalText } from './ask-bookkeeper.ts'

const KEY = privateKeyToAccount(`0x${'b0'.repeat(32)}`)
const OTHER = privateKeyToAccount(`0x${'b1'.repeat(32)}`)
const HEADER = { number: 7n, hash: `0x${'ab'.repeat(32)}` } as const
/** A port where no program listens. */
const GONE = 'http://127.0.0.1:9'
const NAMED = { number: '7', hash: HEADER.hash }

let server: Server
let url: string
let response: { status: number; body: unknown }
/** Of the first and the second bookkeeper, where they differ. */
let bodies: readonly object[] | undefined
const alarms: string[] = []
let refusals = 0
const clock = { at: new Date('2026-11-28T05:00:00Z'), now: () => clock.at }
beforeAll(async () => {
  server = createServer((request, reply) => {
    expect(request.url).toMatch(/^(\/second)?\/headers\/7$/)
    const body = bodies?.[request.url?.startsWith('/second') ? 1 : 0]
    reply.writeHead(body ? 200 : response.status).end(JSON.stringify(body ?? response.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})
beforeEach(() => {
  alarms.length = 0
  bodies = undefined
  refusals = 0
})

const at = (of: string, { address }: { address: string }) =>
  ({ url: of, address: address.toLowerCase() as `0x${string}`, token: Buffer.alloc(32) }) as const

function link(...bookkeepers: readonly ReturnType<typeof at>[]) {
  return createBookkeeperLink(bookkeepers.length > 0 ? bookkeepers : [at(url, KEY)], {
    clock,
    onError: (error) => alarms.push((error as Error).message),
    onRefused: () => void refusals++,
  })
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
  expect(alarms).toEqual([
    `the bookkeeper ${KEY.address.toLowerCase()} refuses header 7: entry 5 (swap) takes too much`,
  ])
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
  expect(await link(at(GONE, KEY)).ask(HEADER)).toBe('none')
})

test('takes the signature of the second bookkeeper while the first is away', async () => {
  const signature = await OTHER.sign({ hash: HEADER.hash })
  response = { status: 200, body: { ...NAMED, signature } }
  const { ask, awaySeconds, waitingSeconds } = link(at(GONE, KEY), at(url, OTHER))
  for (const seconds of [0, 59, 1]) {
    clock.at = new Date(clock.at.getTime() + 1_000 * seconds)
    expect(await ask(HEADER)).toEqual({ signature })
  }
  expect(awaySeconds().map(({ seconds }) => seconds)).toEqual([60, 0])
  expect(waitingSeconds()).toBe(0)
  expect(alarms).toEqual([expect.stringContaining(`${KEY.address.toLowerCase()} does not answer`)])
})

test('takes the refusal of one bookkeeper before the signature of the other', async () => {
  const reason = 'the root is another'
  const refusal = { reason, signature: await OTHER.signMessage({ message: refusalText({ ...HEADER, reason }) }) }
  bodies = [
    { ...NAMED, signature: await KEY.sign({ hash: HEADER.hash }) },
    { ...NAMED, refusal },
  ]
  expect(await link(at(url, KEY), at(`${url}/second`, OTHER)).ask(HEADER)).toEqual({ refusal })
})
