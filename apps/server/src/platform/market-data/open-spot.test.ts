import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FileConfig } from '../../load-config.ts'
import { createRpcChain, createRpcClient } from '../chain/rpc-chain.ts'
import { TEST_CUSTODY } from '../chain/testing/node.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { type LastPrices, openLastPrices } from '../prices/last-prices.ts'
import { openSpot, type Spot, type SpotPace } from './open-spot.ts'
import { createAnchorStore } from './simulated-source.ts'
import { startTestBinance, type TestBinance } from './testing/binance.ts'
import { startTestFeeds, type TestFeeds } from './testing/chainlink.ts'

const FEED = `0x${'b'.repeat(40)}` as const
const PEG = `0x${'d'.repeat(40)}` as const
const PACE: SpotPace = {
  timeoutMs: 10_000,
  backoffMs: 1,
  maxBackoffMs: 4,
  connectTimeoutMs: 60_000,
  silentAfterMs: 60_000,
  pollMs: 5,
  syncMs: 60_000,
  feedPollMs: 3,
  checkMs: 2,
}

let nowMs: number
let db: Database
let binance: TestBinance
let node: TestFeeds
let spot: Spot
let last: LastPrices
let alarms: string[]
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterAll(() => db.close())
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 21, 9)
  alarms = []
  binance = await startTestBinance(() => nowMs)
  node = await startTestFeeds()
  setFeed('620.5')
  last = await openLastPrices(db)
})
afterEach(async () => {
  spot.stop()
  await Promise.all([binance.stop(), node.stop()])
})

/** The feeds say so in a block of now, in US dollars. */
function setFeed(price: string, usdt = '1'): void {
  const timeS = BigInt(Math.floor(nowMs / 1_000))
  node.block = { number: node.block.number + 1n, timeS }
  const round = (description: string, usd: string) => ({
    description,
    decimals: 8,
    roundId: 7n,
    answer: parseUnits(usd, 8) as bigint,
    updatedAt: timeS,
    answeredInRound: 7n,
  })
  node.rounds.set(FEED, round('BNB / USD', price))
  node.rounds.set(PEG, round('USDT / USD', usdt))
}

/** The exchange says so now. */
const say = (price: string) => binance.say('BNBUSDT', { c: price, h: '99999', l: '0.01' })

async function open(
  changes: Partial<Extract<FileConfig['market'], { source: 'live' }>> = {},
  pace: Partial<SpotPace> = {},
): Promise<void> {
  const client = createRpcClient(node.rpcUrl)
  const clock = { now: () => new Date(nowMs) }
  spot = await openSpot({
    market: {
      source: 'live',
      symbols: ['BNBUSDT', 'ETHUSDT'],
      exchange: {
        name: 'Binance',
        restUrl: binance.restUrl,
        streamUrl: binance.streamUrl,
        maxWeightPerMinute: 1_200,
      },
      chainlink: { BNBUSDT: { address: FEED, heartbeatMs: 120_000 }, ETHUSDT: null },
      usdtUsd: { address: PEG, heartbeatMs: 900_000 },
      maxDisagreementBps: 200,
      maxClearingDisagreementBps: 1_000,
      staleAfterMs: 60_000,
      ...changes,
    },
    clock,
    db,
    client,
    chain: createRpcChain(client, 56, TEST_CUSTODY, clock),
    random: () => 1,
    last,
    isLeader: () => true,
    onError: (error, task) => alarms.push(`${task}: ${(error as Error).message}`),
    pace: { ...PACE, ...pace },
  })
  spot.start()
  // A message of the exchange reaches open connections only.
  if (binance.takesStreams) await vi.waitFor(() => expect(binance.openStreams).toBe(1), 20_000)
}

/** A ticker with its prices as decimals; `undefined` while there is none. */
async function ticker(symbol = 'BNBUSDT') {
  const found = await spot.source.ticker(symbol)
  if (!found) return undefined
  const { priceE18, highE18, lowE18, changePpm, volume, time, sources, ...rest } = found
  const decimal = (units: bigint | undefined, decimals = 18) =>
    units === undefined ? undefined : formatUnits(units, decimals)
  return {
    ...rest,
    price: decimal(priceE18),
    change: decimal(changePpm, 6),
    high: decimal(highE18),
    low: decimal(lowE18),
    volume: decimal(volume),
    time: time?.toISOString(),
    sources: sources.map((each) => ({
      ...each,
      price: decimal(each.priceE18),
      priceE18: undefined,
      time: each.time.toISOString(),
    })),
  }
}

/** Waits until the ticker has these values, and returns it. */
async function tickerLike(expected: object, symbol?: string) {
  return vi.waitFor(
    async () => {
      const found = await ticker(symbol)
      expect(found).toMatchObject(expected)
      return found as NonNullable<typeof found>
    },
    { interval: 2, timeout: 20_000 },
  )
}

test('the price is half-way between exchange and feed, listing both', async () => {
  await open()
  await tickerLike({ state: 'fresh', source: 'Binance, Chainlink' })
  setFeed('621.5')
  nowMs += 1_000
  say('620.5')
  const ticker = await tickerLike({ price: '621', high: '99999' })
  expect(ticker).toEqual({
    symbol: 'BNBUSDT',
    state: 'fresh',
    price: '621',
    change: '0.035',
    high: '99999',
    low: '0.01',
    volume: '184350.251',
    time: new Date(nowMs - 1_000).toISOString(),
    source: 'Binance, Chainlink',
    sources: [
      { name: 'Binance', price: '620.5', time: new Date(nowMs).toISOString(), stale: false },
      { name: 'Chainlink', price: '621.5', time: new Date(nowMs - 1_000).toISOString(), stale: false },
    ],
  })
  expect(alarms.join()).not.toContain('disagree')
})

test('money does not use a price without a feed', async () => {
  await open()
  const shown = { state: 'one_source', price: '3300.1', source: 'Binance', change: '-0.029382' }
  await tickerLike(shown, 'ETHUSDT')
  expect(last.of('ETHUSDT')).toBeUndefined()
  expect(spot.source.quote('DOGEUSDT')).toBeUndefined()
  expect(await ticker('DOGEUSDT')).toBeUndefined()
})

test('the exchange’s price does not depend on its 24-hour figures', async () => {
  binance.lie = ({ path }) => (path === '/api/v3/ticker/24hr' ? { status: 500 } : undefined)
  await open()
  binance.say('BNBUSDT', { h: '1', l: 'none', v: '-4' })
  const ticker = await tickerLike({ state: 'fresh', price: '620.5' })
  expect(ticker).toMatchObject({ change: undefined, high: undefined, low: undefined, volume: undefined })
})

test('the last price of money is stored by the server that writes', async () => {
  await open()
  await tickerLike({ state: 'fresh' })
  await vi.waitFor(
    async () => expect((await openLastPrices(db)).of('BNBUSDT')?.meanE18).toBe(6205n * 10n ** 17n),
    20_000,
  )
})

describe('two sources that are apart', () => {
  // Source: worked out by hand. 2 % of 620.5 is 12.41, and 10 % is 62.05.
  test.each([
    ['exactly 2 %', '632.91', '620.5', 'fresh', '626.705'],
    ['just over 2 %', '632.92', '620.5', 'apart', '626.71'],
    ['exactly 10 %', '682.55', '620.5', 'apart', '651.525'],
    ['just over 10 %, the exchange above', '682.56', '620.5', 'unknown', undefined],
    ['just over 10 %, the feed above', '620.5', '682.56', 'unknown', undefined],
  ])('%s apart: %s and %s are %s', async (_name, exchange, feed, state, price) => {
    await open()
    await tickerLike({ state: 'fresh' })
    nowMs += 1_000
    setFeed(feed)
    say(exchange)
    const ticker = await tickerLike({ sources: [{ price: exchange }, { price: feed }] })
    expect([ticker.state, ticker.price]).toEqual([state, price])
    const reported = { fresh: undefined, apart: 'are apart', unknown: 'disagree' }[state]
    if (reported) await vi.waitFor(() => expect(alarms.join()).toContain(`BNBUSDT: the sources ${reported}`), 20_000)
  })

  test('a wick of one exchange leaves no price until two looks', async () => {
    await open({}, { checkMs: 60_000 })
    await vi.waitFor(() => expect(spot.source.quote('BNBUSDT')?.sources).toHaveLength(2), 20_000)
    spot.look()
    spot.look()
    nowMs += 1_000
    setFeed('620.5')
    await tickerLike({ state: 'fresh' })
    say('300')
    await tickerLike({ state: 'unknown', price: undefined })
    say('620.5')
    await tickerLike({ state: 'unknown', sources: [{ price: '620.5' }, { price: '620.5' }] })
    spot.look()
    expect((await ticker())?.state).toBe('unknown')
    spot.look()
    expect((await ticker())?.state).toBe('fresh')
  })
})

/** Source: worked out by hand. BNB at 589.475 USD and USDT at 0.95 USD are 620.5 USDT. */
test('USDT off its peg leaves both sources together', async () => {
  setFeed('589.475', '0.95')
  await open()
  await tickerLike({ state: 'fresh', price: '620.5', sources: [{ price: '620.5' }, { price: '620.5' }] })
})

describe('sources that fall silent', () => {
  test('money does not use the feed of a silent exchange', async () => {
    await open()
    await tickerLike({ state: 'fresh' })
    await binance.stop()
    for (let step = 0; step < 7; step++) {
      nowMs += 10_000
      setFeed('700')
    }
    const ticker = await tickerLike({ price: '700', source: 'Chainlink', state: 'one_source' })
    expect(ticker.sources).toMatchObject([
      { name: 'Binance', stale: true },
      { name: 'Chainlink', stale: false },
    ])
    expect(last.of('BNBUSDT')?.meanE18).not.toBe(700n * 10n ** 18n)
    binance = await startTestBinance(() => nowMs)
  })

  test('money does not use the exchange beside a silent node', async () => {
    await open()
    await tickerLike({ state: 'fresh' })
    nowMs += 61_000
    say('650')
    await tickerLike({
      price: '650',
      source: 'Binance',
      state: 'one_source',
      sources: [{ stale: false }, { stale: true }],
    })
    await vi.waitFor(() => expect(alarms.join()).toContain('the price of BNBUSDT: only one source is fresh'), 20_000)
  })

  test('a feed past its heartbeat is silent, however new its block is', async () => {
    await open()
    await tickerLike({ state: 'fresh' })
    const timeS = BigInt(nowMs / 1_000)
    nowMs += 121_000
    node.block = { number: node.block.number + 1n, timeS: timeS + 121n }
    say('620.5')
    await tickerLike({ state: 'one_source', source: 'Binance' })
    await vi.waitFor(() => expect(alarms.join()).toContain('longer than its heartbeat'), 20_000)
  })

  test('two silent sources show the last price as stale and notify', async () => {
    await open()
    await tickerLike({ state: 'fresh' })
    const read = nowMs
    binance.takesStreams = false
    binance.lie = () => ({ status: 500 })
    nowMs += 60_000
    await tickerLike({ price: '620.5', state: 'fresh' })
    nowMs += 1
    const ticker = await tickerLike({ price: '620.5', state: 'stale', time: new Date(read).toISOString() })
    expect(ticker.sources.map(({ stale }) => stale)).toEqual([true, true])
    await vi.waitFor(() => expect(alarms.join()).toContain('the price of BNBUSDT: no source is fresh'), 20_000)
  })
})

test('silent sources do not delay the start without a price', async () => {
  binance.takesStreams = false
  binance.lie = () => ({ status: 503 })
  node.lie = () => ({ text: undefined })
  await open()
  const never = { state: 'unknown', price: undefined, time: undefined, sources: [] }
  expect(await ticker()).toMatchObject(never)
  await vi.waitFor(() => expect(alarms.join()).toContain('asking Binance'), 20_000)
  await vi.waitFor(() => expect(alarms.join()).toContain('the price of BNBUSDT: no source was read'), 20_000)
  expect(await ticker()).toMatchObject(never)
})

test('a hundred ticker reads send no request to a source', async () => {
  await open()
  await tickerLike({ source: 'Binance, Chainlink' })
  spot.stop()
  await vi.waitFor(() => expect(binance.openStreams).toBe(0), 20_000)
  const asked = [binance.asked.length, binance.streams.length]
  await Promise.all(Array.from({ length: 100 }, () => ticker()))
  expect([binance.asked.length, binance.streams.length]).toEqual(asked)
})

test('candles come from the exchange, and none for an unknown symbol', async () => {
  await open()
  const window = { interval: '1h', from: undefined, to: undefined, limit: 3 } as const
  const candles = await spot.source.candles('ETHUSDT', window)
  expect(candles?.map(({ startsAt }) => startsAt.toISOString().slice(11, 16))).toEqual(['07:00', '08:00', '09:00'])
  expect(candles?.[0]?.volume).toBe(3_600n * 10n ** 18n)
  expect(await spot.source.candles('DOGEUSDT', window)).toBeUndefined()
})

test('a real price cannot be set', async () => {
  await open()
  expect(await spot.setPrice('BNBUSDT', 1n)).toBe(false)
})

test('a simulated market opens from its seed and keeps a set price', async () => {
  const market = { source: 'simulated', seed: 'clearwell', symbols: { BNBUSDT: '620' }, moves: true } as const
  const clock = { now: () => new Date(nowMs) }
  const deps = { market, clock, db, last, isLeader: () => true, onError: () => {}, random: () => 1 }
  const client = createRpcClient(node.rpcUrl)
  const again = () => openSpot({ ...deps, client, chain: createRpcChain(client, 56, TEST_CUSTODY) })
  spot = await again()
  spot.start()
  expect(await spot.setPrice('BNBUSDT', 700n * 10n ** 18n)).toBe(true)
  expect(await spot.setPrice('ETHUSDT', 1n)).toBe(false)
  const set = await ticker()
  expect(set).toMatchObject({
    price: expect.stringMatching(/^700(\.0{17}1)?$/),
    source: 'simulated market',
    state: 'fresh',
    sources: [{ name: 'simulated exchange' }, { name: 'simulated feed' }],
  })
  spot = await again()
  expect(await ticker()).toEqual(set)
  expect(node.requests).toBe(0)
})

test('a saved anchor loads to the last digit until a later one', async () => {
  await db.query('delete from simulated_prices')
  const store = createAnchorStore(db)
  expect(await store.load()).toEqual(new Map())
  await store.save('BNBUSDT', 10n ** 40n + 1n)
  await store.save('ETHUSDT', 5n)
  await store.save('BNBUSDT', 10n ** 40n + 7n)
  expect(await createAnchorStore(db).load()).toEqual(
    new Map([
      ['BNBUSDT', 10n ** 40n + 7n],
      ['ETHUSDT', 5n],
    ]),
  )
})
