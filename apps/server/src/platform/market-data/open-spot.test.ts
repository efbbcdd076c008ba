import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { formatUnits } from '@clearwell/money/decimal'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FileConfig } from '../../load-config.ts'
import { createRpcChain, createRpcClient } from '../chain/rpc-chain.ts'
import { TEST_CUSTODY } from '../chain/testing/node.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { openSpot, type Spot, type SpotPace } from './open-spot.ts'
import { createAnchorStore } from './simulated-source.ts'
import { startTestBinance, type TestBinance } from './testing/binance.ts'
import { startTestFeeds, type TestFeeds } from './testing/chainlink.ts'

const FEED = `0x${'b'.repeat(40)}` as const
const PACE: SpotPace = {
  timeoutMs: 10_000,
  backoffMs: 1,
  maxBackoffMs: 4,
  connectTimeoutMs: 60_000,
  silentAfterMs: 60_000,
  pollMs: 5,
  syncMs: 60_000,
  feedPollMs: 3,
  checkMs: 60_000,
}

let nowMs: number
let db: Database
let binance: TestBinance
let node: TestFeeds
let spot: Spot
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
})
afterEach(async () => {
  spot.stop()
  await Promise.all([binance.stop(), node.stop()])
})

/** The feed says so in a block of now. */
function setFeed(price: string): void {
  const timeS = BigInt(Math.floor(nowMs / 1_000))
  node.block = { number: node.block.number + 1n, timeS }
  const answer = BigInt(Math.round(Number(price) * 100)) * 1_000_000n
  node.rounds.set(FEED, {
    description: 'BNB / USD',
    decimals: 8,
    roundId: 7n,
    answer,
    updatedAt: timeS,
    answeredInRound: 7n,
  })
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
      maxDisagreementBps: 200,
      staleAfterMs: 60_000,
      ...changes,
    },
    clock,
    db,
    client,
    chain: createRpcChain(client, 56, TEST_CUSTODY, clock),
    random: () => 1,
    onError: (error, doing) => alarms.push(`${doing}: ${(error as Error).message}`),
    pace: { ...PACE, ...pace },
  })
  spot.start()
}

/** A ticker with its prices as decimals; `undefined` while there is none. */
async function ticker(symbol = 'BNBUSDT') {
  const found = await spot.source.ticker(symbol)
  if (!found) return undefined
  const { priceE18, highE18, lowE18, changePpm, volume, time, sources, ...rest } = found
  return {
    ...rest,
    price: formatUnits(priceE18, 18),
    change: formatUnits(changePpm, 6),
    high: formatUnits(highE18, 18),
    low: formatUnits(lowE18, 18),
    volume: formatUnits(volume, 18),
    time: time.toISOString(),
    sources: sources.map(({ name, priceE18, time, stale, outlier }) => ({
      name,
      price: formatUnits(priceE18, 18),
      time: time.toISOString(),
      stale,
      outlier,
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
  await tickerLike({ source: 'Binance, Chainlink' })
  setFeed('621.5')
  nowMs += 1_000
  say('620.5')
  const ticker = await tickerLike({ price: '621', high: '99999' })
  expect(ticker).toEqual({
    symbol: 'BNBUSDT',
    price: '621',
    change: '0.035',
    high: '99999',
    low: '0.01',
    volume: '184350.251',
    time: new Date(nowMs - 1_000).toISOString(),
    stale: false,
    source: 'Binance, Chainlink',
    sources: [
      { name: 'Binance', price: '620.5', time: new Date(nowMs).toISOString(), stale: false, outlier: false },
      { name: 'Chainlink', price: '621.5', time: new Date(nowMs - 1_000).toISOString(), stale: false, outlier: false },
    ],
  })
  expect(alarms).toEqual([])
})

test('a symbol without a feed has the exchange’s price', async () => {
  await open()
  await tickerLike({ price: '3300.1', source: 'Binance', change: '-0.029382' }, 'ETHUSDT')
  expect(await ticker('DOGEUSDT')).toBeUndefined()
})

describe('two sources that disagree', () => {
  test.each([
    ['the exchange lies, upwards', '640', '620.5'],
    ['the exchange lies, downwards', '600', '620.5'],
    ['the feed lies', '620.5', '640'],
  ])('disagreeing sources (%s) keep the last good price as stale and notify', async (_name, exchange, feed) => {
    await open()
    const good = await tickerLike({ price: '620.5', stale: false, source: 'Binance, Chainlink' })
    nowMs += 10_000
    setFeed(feed)
    say(exchange)
    const ticker = await tickerLike({
      sources: [{ price: exchange }, { price: feed, time: new Date(nowMs).toISOString() }],
      stale: true,
    })
    expect(ticker).toMatchObject({ price: '620.5', time: good.time, source: 'Binance, Chainlink' })
    await vi.waitFor(() => expect(alarms.join()).toContain('the price of BNBUSDT: the sources disagree'), 20_000)
    // Once they agree again, it is a price again.
    nowMs += 1_000
    setFeed('630')
    say('630')
    await tickerLike({ price: '630', stale: false })
  })

  test('sources at the largest allowed distance give a price', async () => {
    await open({ maxDisagreementBps: 1_000 })
    await tickerLike({ source: 'Binance, Chainlink' })
    nowMs += 1_000
    setFeed('600')
    say('660')
    await tickerLike({ price: '630', stale: false })
  })
})

describe('sources that fall silent', () => {
  test('a silent exchange leaves the feed’s price after a minute', async () => {
    await open()
    await tickerLike({ source: 'Binance, Chainlink' })
    await binance.stop()
    for (let step = 0; step < 7; step++) {
      nowMs += 10_000
      setFeed('700')
    }
    const ticker = await tickerLike({ price: '700', source: 'Chainlink', stale: false })
    expect(ticker.sources).toMatchObject([
      { name: 'Binance', stale: true },
      { name: 'Chainlink', stale: false },
    ])
    binance = await startTestBinance(() => nowMs)
  })

  test('a silent node leaves the exchange’s price after a minute', async () => {
    await open()
    await tickerLike({ source: 'Binance, Chainlink' })
    nowMs += 61_000
    say('650')
    await tickerLike({ price: '650', source: 'Binance', stale: false, sources: [{ stale: false }, { stale: true }] })
  })

  test('two silent sources keep the last good price as stale and notify', async () => {
    await open({}, { checkMs: 5 })
    const good = await tickerLike({ source: 'Binance, Chainlink' })
    binance.takesStreams = false
    binance.lie = () => ({ status: 500 })
    nowMs += 60_000
    await tickerLike({ price: '620.5', stale: false })
    nowMs += 1
    const ticker = await tickerLike({ price: '620.5', stale: true })
    expect(ticker.time).toBe(good.time)
    expect(ticker.sources.map(({ stale }) => stale)).toEqual([true, true])
    await vi.waitFor(() => expect(alarms.join()).toContain('the price of BNBUSDT: no source is fresh'), 20_000)
  })
})

test('a silent source does not delay the start', async () => {
  binance.takesStreams = false
  binance.lie = () => ({ status: 503 })
  await open()
  expect(await ticker()).toBeUndefined()
  await vi.waitFor(() => expect(alarms.join()).toContain('asking Binance'), 20_000)
  expect(await ticker()).toBeUndefined()
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
  const market = { source: 'simulated', seed: 'clearwell', symbols: { BNBUSDT: '620' } } as const
  const deps = { market, clock: { now: () => new Date(nowMs) }, db, onError: () => {}, random: () => 1 }
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
    stale: false,
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
