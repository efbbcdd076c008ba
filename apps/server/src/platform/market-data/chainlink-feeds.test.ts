import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRpcChain, createRpcClient } from '../chain/rpc-chain.ts'
import { TEST_CUSTODY } from '../chain/testing/node.ts'
import { type ChainlinkFeeds, createChainlinkFeeds } from './chainlink-feeds.ts'
import { startTestFeeds, type TestFeeds, type TestRound } from './testing/chainlink.ts'

const E18 = 10n ** 18n
const BNB = `0x${'b'.repeat(40)}` as const
const ETH = `0x${'e'.repeat(40)}` as const
const PEG = `0x${'d'.repeat(40)}` as const
const START_S = BigInt(Date.UTC(2026, 10, 21, 9) / 1_000)
const HEARTBEAT_S = 120n

let nowMs: number
let node: TestFeeds
let feeds: ChainlinkFeeds
let faults: string[]
beforeEach(async () => {
  nowMs = Number(START_S) * 1_000
  faults = []
  node = await startTestFeeds()
  node.block = { number: 100n, timeS: START_S }
  node.rounds.set(BNB, round({ answer: 62_050_000_000n }))
  node.rounds.set(ETH, round({ description: 'ETH / USD', answer: 330_012_345_678n }))
  node.rounds.set(PEG, round({ description: 'USDT / USD', answer: 100_000_000n }))
  const client = createRpcClient(node.rpcUrl)
  const clock = { now: () => new Date(nowMs) }
  feeds = createChainlinkFeeds({
    feeds: new Map([
      ['BNBUSDT', { address: BNB, description: 'BNB / USD', heartbeatMs: Number(HEARTBEAT_S) * 1_000 }],
      ['ETHUSDT', { address: ETH, description: 'ETH / USD', heartbeatMs: Number(HEARTBEAT_S) * 1_000 }],
    ]),
    peg: { address: PEG, description: 'USDT / USD', heartbeatMs: 900_000 },
    client,
    chain: createRpcChain(client, 56, TEST_CUSTODY, clock),
    clock,
    pollMs: 3,
    onReading: () => {},
    onFault: (kind, error) => faults.push(`${kind}: ${(error as Error).message}`),
  })
})
afterEach(async () => {
  feeds.stop()
  await node.stop()
})

function round(changes: Partial<TestRound> = {}): TestRound {
  const id = (5n << 64n) + 7n
  return {
    description: 'BNB / USD',
    decimals: 8,
    roundId: id,
    answer: 1n,
    updatedAt: START_S - 30n,
    answeredInRound: id,
    ...changes,
  }
}

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { interval: 2, timeout: 20_000 })
const change = (changes: Partial<TestRound>) =>
  node.rounds.set(BNB, { ...(node.rounds.get(BNB) as TestRound), ...changes })
/** The chain goes on by so many seconds, and this server's clock with it. */
function pass(seconds: bigint): void {
  node.block = { number: node.block.number + 1n, timeS: node.block.timeS + seconds }
  nowMs += Number(seconds) * 1_000
}

async function ready(): Promise<void> {
  feeds.start()
  await until(() => feeds.reading('BNBUSDT') !== undefined && feeds.reading('ETHUSDT') !== undefined)
}

test('a feed price is exact and carries the time of its block', async () => {
  await ready()
  expect(feeds.reading('BNBUSDT')).toEqual({
    name: 'Chainlink',
    priceE18: 6205n * (E18 / 10n),
    time: new Date(Number(START_S) * 1_000),
    validUntil: new Date(Number(START_S - 30n + HEARTBEAT_S) * 1_000),
  })
  expect(feeds.reading('ETHUSDT')?.priceE18).toBe(330_012_345_678n * 10n ** 10n)
  expect(feeds.reading('RTUSDT')).toBeUndefined()
  expect(new Set(node.askedAt)).toEqual(new Set(['0x64']))
  expect(faults).toEqual([])
})

describe('the feed of USDT / USD', () => {
  const changePeg = (changes: Partial<TestRound>) =>
    node.rounds.set(PEG, { ...(node.rounds.get(PEG) as TestRound), ...changes })

  // Source: worked out by hand. 620.5 / 0.95 = 653.15789473684210526315...
  test('a price in dollars is divided by that of USDT, rounded down', async () => {
    changePeg({ answer: 95_000_000n })
    await ready()
    expect(feeds.reading('BNBUSDT')?.priceE18).toBe(653_157_894_736_842_105_263n)
  })

  test('a dead feed of USDT / USD leaves no price in USDT', async () => {
    await ready()
    changePeg({ updatedAt: START_S - 901n })
    await until(() => feeds.reading('BNBUSDT') === undefined)
    expect(feeds.reading('ETHUSDT')).toBeUndefined()
    expect(faults.join()).toContain('longer than its heartbeat')
  })

  test('a price in USDT ends with the first of both heartbeats', async () => {
    changePeg({ updatedAt: START_S - 880n })
    await ready()
    expect(feeds.reading('BNBUSDT')?.validUntil).toEqual(new Date(Number(START_S + 20n) * 1_000))
  })
})

test('feed prices are refreshed with each new block', async () => {
  await ready()
  pass(45n)
  await until(() => feeds.reading('BNBUSDT')?.time.getTime() === nowMs)
  expect(feeds.reading('BNBUSDT')?.priceE18).toBe(6205n * (E18 / 10n))
  pass(3n)
  change({ answer: 70_000_000_000n, updatedAt: node.block.timeS - 1n })
  await until(() => feeds.reading('BNBUSDT')?.priceE18 === 700n * E18)
})

test.each([
  [0, 620n, 620n * E18],
  [8, 62_000_000_000n, 620n * E18],
  [18, 620n * E18 + 1n, 620n * E18 + 1n],
])('a feed of %d decimals is scaled to 18', async (decimals, answer, priceE18) => {
  change({ decimals, answer })
  await ready()
  expect(feeds.reading('BNBUSDT')?.priceE18).toBe(priceE18)
})

describe('an impossible round removes the feed until it recovers; other feeds continue', () => {
  test.each<[string, Partial<TestRound>, string]>([
    ['a price of zero', { answer: 0n }, 'not above zero'],
    ['a negative price', { answer: -62_050_000_000n }, 'not above zero'],
    ['a round that was never written', { updatedAt: 0n }, 'a round that is not complete'],
    ['a round without a number', { roundId: 0n, answeredInRound: 0n }, 'a round that is not complete'],
    ['an answer of an earlier round', { answeredInRound: 6n }, 'a round that is not complete'],
    ['a round that is yet to come', { updatedAt: START_S + 1n }, 'a round that is yet to come'],
    [
      'a round of long ago',
      { updatedAt: START_S - HEARTBEAT_S - 1n },
      'last written 121 s ago, longer than its heartbeat',
    ],
    ['the price of another asset', { description: 'ETH / USD' }, 'it is the feed of ETH / USD'],
    ['more decimals than are kept', { decimals: 19 }, 'the feed has 19 decimals'],
  ])('%s', async (_name, changes, why) => {
    await ready()
    const honest = node.rounds.get(BNB) as TestRound
    change(changes)
    await until(() => feeds.reading('BNBUSDT') === undefined)
    expect(faults[0]).toContain('the feed of BNBUSDT: ')
    expect(faults[0]).toContain(why)
    expect(feeds.reading('ETHUSDT')).toBeDefined()
    node.rounds.set(BNB, honest)
    await until(() => feeds.reading('BNBUSDT') !== undefined)
  })

  test('a round exactly as old as its heartbeat is valid', async () => {
    change({ updatedAt: START_S - HEARTBEAT_S })
    await ready()
    expect(faults).toEqual([])
  })

  test('a feed without new rounds expires after its heartbeat', async () => {
    await ready()
    pass(90n)
    await until(() => feeds.reading('BNBUSDT')?.time.getTime() === nowMs)
    pass(1n)
    await until(() => feeds.reading('BNBUSDT') === undefined)
  })
})

describe('a faulty node leaves the last readings, which become stale', () => {
  test.each<[string, (node: TestFeeds) => unknown]>([
    ['a page', (each) => Object.assign(each, { lie: () => ({ text: '<html>502</html>' }) })],
    ['half an answer', (each) => Object.assign(each, { lie: () => ({ text: '[{"jsonrpc":"2.0","id":' }) })],
    ['another chain', (each) => Object.assign(each, { chainId: 1 })],
    ['a block of the future', (each) => Object.assign(each, { block: { number: 200n, timeS: START_S + 600n } })],
    ['no contract there', (each) => each.rounds.clear()],
  ])('%s', async (_name, spoil) => {
    await ready()
    const held = feeds.reading('BNBUSDT')
    spoil(node)
    await until(() => faults.length > 0)
    expect(feeds.reading('BNBUSDT')).toEqual(held)
    // The address that is asked may hold a key, and an operator reads lines.
    expect(faults.join()).not.toMatch(/s3cret|\n/)
  })

  test('readings of a stalled node age by its own block time', async () => {
    await ready()
    nowMs += 3_600_000
    const before = node.requests
    await until(() => node.requests >= before + 6)
    expect(feeds.reading('BNBUSDT')?.time).toEqual(new Date(Number(START_S) * 1_000))
  })

  test('a lagging node does not replace newer readings', async () => {
    await ready()
    pass(10n)
    await until(() => feeds.reading('BNBUSDT')?.time.getTime() === nowMs)
    node.block = { number: 90n, timeS: START_S - 5n }
    change({ answer: 1n, updatedAt: START_S - 40n })
    const before = node.askedAt.length
    await until(() => node.askedAt.length >= before + 8)
    expect(feeds.reading('BNBUSDT')).toMatchObject({ priceE18: 6205n * (E18 / 10n), time: new Date(nowMs) })
  })
})

test('a block slightly ahead of the server’s clock counts as now', async () => {
  nowMs -= 3_000
  await ready()
  expect(feeds.reading('BNBUSDT')?.time).toEqual(new Date(nowMs))
})

test('stopped feeds read nothing and report nothing', async () => {
  await ready()
  node.lie = () => ({ text: undefined })
  const before = node.requests
  await until(() => node.requests > before)
  feeds.stop()
  await node.stop()
  expect(faults).toEqual([])
  node = await startTestFeeds()
})
