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
/** Where the first bookkeeper redirects to. */
let elsewhere: string | undefined
/** Of the first and the second bookkeeper, where they differ from it. */
let bodies: readonly (object | undefined)[]
const alarms: string[] = []
/** The bookkeepers whose refusals were counted. */
const refusals: string[] = []
const clock = { at: new Date('2026-11-28T05:00:00Z'), now: () => clock.at }
beforeAll(async () => {
  server = createServer((request, reply) => {
    expect(request.url).toMatch(/^(\/second)?\/headers\/[78]$/)
    const isSecond = request.url?.startsWith('/second') === true
    const body = bodies[isSecond ? 1 : 0]
    if (elsewhere && !isSecond) reply.writeHead(302, { location: elsewhere }).end()
    else reply.writeHead(body ? 200 : response.status).end(JSON.stringify(body ?? response.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})
beforeEach(() => {
  alarms.length = 0
  bodies = []
  elsewhere = undefined
  refusals.length = 0
})

const at = (of: string, { address }: { address: string }) =>
  ({ url: of, address: address.toLowerCase() as `0x${string}`, token: Buffer.alloc(32) }) as const

function link(...bookkeepers: readonly ReturnType<typeof at>[]) {
  return createBookkeeperLink(bookkeepers.length > 0 ? bookkeepers : [at(url, KEY)], {
    clock,
    onError: (error, task) => alarms.push(`${task}: ${(error as Error).message}`),
    onRefused: (address) => refusals.push(address),
  })
}

/** Asks about a header until it has waited for a minute. @returns why, as the log says it */
async function waitAMinute({ ask }: Pick<ReturnType<typeof link>, 'ask'>): Promise<string | undefined> {
  expect(await ask(HEADER)).toBe('none')
  pass(60)
  expect(await ask(HEADER)).toBe('none')
  return alarms.at(-1)?.replace("bookkeeper: header 7 waits for a bookkeeper's signature: ", '')
}

function pass(seconds: number): void {
  clock.at = new Date(clock.at.getTime() + 1_000 * seconds)
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
  expect(refusals).toEqual([KEY.address.toLowerCase()])
  expect(alarms).toEqual([
    `bookkeeper: the bookkeeper ${KEY.address.toLowerCase()} refuses header 7: entry 5 (swap) takes too much`,
  ])
})

const UNREADABLE = 'its response is not readable'
const FOREIGN_HASH = `0x${'cd'.repeat(32)}`

test.each<[string, () => Promise<unknown>, string | RegExp]>([
  [
    'another key',
    async () => ({ ...NAMED, signature: await OTHER.sign({ hash: HEADER.hash }) }),
    `another key has signed: ${OTHER.address}`,
  ],
  [
    'another hash',
    async () => ({ ...NAMED, hash: FOREIGN_HASH, signature: await KEY.sign({ hash: HEADER.hash }) }),
    `it has another header with the hash ${FOREIGN_HASH}`,
  ],
  [
    'another number',
    async () => ({ ...NAMED, number: '8', signature: await KEY.sign({ hash: HEADER.hash }) }),
    UNREADABLE,
  ],
  [
    'a refusal of another reason',
    async () => ({
      ...NAMED,
      refusal: { reason: 'b', signature: await KEY.signMessage({ message: refusalText({ ...HEADER, reason: 'a' }) }) },
    }),
    /^another key has signed: 0x/,
  ],
  ['neither', async () => NAMED, UNREADABLE],
  ['no point', async () => ({ ...NAMED, signature: `0x${'ff'.repeat(65)}` }), 'Invalid yParityOrV value'],
])('takes no statement of %s, and says why', async (_what, body, why) => {
  response = { status: 200, body: await body() }
  expect(await waitAMinute(link())).toEqual(typeof why === 'string' ? why : expect.stringMatching(why))
})

test('follows no redirect', async () => {
  bodies = [undefined, { ...NAMED, signature: await KEY.sign({ hash: HEADER.hash }) }]
  elsewhere = `${url}/second/headers/7`
  expect(await link().ask(HEADER)).toBe('none')
})

test('raises the alarm once a minute while a header waits', async () => {
  response = { status: 404, body: { waiting: 'the node is behind' } }
  const { ask, waitingSeconds } = link()
  for (const seconds of [0, 59, 1, 59, 1]) {
    pass(seconds)
    expect(await ask(HEADER)).toBe('none')
  }
  expect(waitingSeconds()).toBe(120)
  const why = 'it says "{\\"waiting\\":\\"the node is behind\\"}"'
  expect(alarms).toEqual(Array(2).fill(`bookkeeper: header 7 waits for a bookkeeper's signature: ${why}`))
  // The wait of the next one begins.
  expect(await ask({ ...HEADER, number: 8n })).toBe('none')
  expect([waitingSeconds(), alarms.length]).toEqual([0, 2])
})

test('a single bookkeeper that is away raises one alarm', async () => {
  const { awaySeconds, ...asked } = link(at(GONE, KEY))
  expect(await waitAMinute(asked)).toBe('fetch failed')
  expect([alarms.length, awaySeconds().map(({ seconds }) => seconds)]).toEqual([1, [60]])
})

test('an alarm has the reasons of all, and the first 200 characters', async () => {
  response = { status: 404, body: 'x'.repeat(300) }
  bodies = [undefined, NAMED]
  const why = await waitAMinute(link(at(url, KEY), at(`${url}/second`, OTHER)))
  expect(why).toBe(`it says "\\"${'x'.repeat(199)}"; ${UNREADABLE}`)
})

test('a bookkeeper that answers again is no longer away', async () => {
  const { ask, awaySeconds } = link()
  response = { status: 200, body: NAMED }
  await ask(HEADER)
  pass(30)
  await ask(HEADER)
  expect(awaySeconds()).toEqual([{ address: KEY.address.toLowerCase(), seconds: 30 }])
  response = { status: 404, body: '' }
  await ask(HEADER)
  expect(awaySeconds()).toEqual([{ address: KEY.address.toLowerCase(), seconds: 0 }])
})

test('waits five seconds for the first bookkeeper, then takes the second', async () => {
  response = { status: 404, body: '' }
  const signature = await OTHER.sign({ hash: HEADER.hash })
  bodies = [undefined, { ...NAMED, signature }]
  const { ask } = link(at(url, KEY), at(`${url}/second`, OTHER))
  expect(await ask(HEADER)).toBe('none')
  pass(4.999)
  expect(await ask(HEADER)).toBe('none')
  pass(0.001)
  expect(await ask(HEADER)).toEqual({ signature })
  // The next header has not waited yet, though this one waits again.
  bodies = []
  expect(await ask(HEADER)).toBe('none')
  pass(5)
  bodies = [undefined, { ...NAMED, number: '8', signature }]
  expect(await ask({ ...HEADER, number: 8n })).toBe('none')
})

test('takes the signature of the second bookkeeper while the first is away', async () => {
  const signature = await OTHER.sign({ hash: HEADER.hash })
  response = { status: 200, body: { ...NAMED, signature } }
  const { ask, awaySeconds, waitingSeconds } = link(at(GONE, KEY), at(url, OTHER))
  for (const seconds of [0, 59, 1]) {
    pass(seconds)
    expect(await ask(HEADER)).toEqual({ signature })
  }
  expect(awaySeconds().map(({ seconds }) => seconds)).toEqual([60, 0])
  expect(waitingSeconds()).toBe(0)
  expect(alarms).toEqual([
    expect.stringContaining(`bookkeeper away: the bookkeeper ${KEY.address.toLowerCase()} does not answer: `),
  ])
})

test('takes the refusal of one bookkeeper before the signature of the other', async () => {
  const reason = 'the root is another'
  const refusal = { reason, signature: await OTHER.signMessage({ message: refusalText({ ...HEADER, reason }) }) }
  bodies = [
    { ...NAMED, signature: await KEY.sign({ hash: HEADER.hash }) },
    { ...NAMED, refusal },
  ]
  expect(await link(at(url, KEY), at(`${url}/second`, OTHER)).ask(HEADER)).toEqual({ refusal })
  expect(refusals).toEqual([OTHER.address.toLowerCase()])
})
