import { beforeEach, describe, expect, test } from 'vitest'
import { type AnchorStore, createSimulatedSource, type SimulatedSource } from './simulated-source.ts'

const E18 = 10n ** 18n
const PPM = 1_000_000n
const DAY_MS = 86_400_000
/** As far as all waves together can carry a price from its anchor, in millionths. */
const REACH_PPM = 88_620n

let timeMs: number
let saved: Map<string, bigint>
const clock = { now: () => new Date(timeMs) }
const store: AnchorStore = {
  load: async () => new Map(saved),
  save: async (symbol, anchorE18) => void saved.set(symbol, anchorE18),
}

function open(seed = 'clearwell'): Promise<SimulatedSource> {
  const anchors = new Map([
    ['BNBUSDT', 620n * E18],
    ['ETHUSDT', 3_300n * E18],
  ])
  return createSimulatedSource({ seed, clock, anchors, store })
}

async function priceOf(source: SimulatedSource, symbol = 'BNBUSDT'): Promise<bigint> {
  return (await source.ticker(symbol))?.priceE18 as bigint
}

beforeEach(() => {
  timeMs = Date.UTC(2026, 10, 21, 9)
  saved = new Map()
})

describe('a simulated price', () => {
  test('is the same for the same seed and time, also after a restart, and another for another seed', async () => {
    const [first, again, other] = [await open(), await open(), await open('another')]
    expect(await again.ticker('BNBUSDT')).toEqual(await first.ticker('BNBUSDT'))
    expect(await priceOf(other)).not.toBe(await priceOf(first))
  })

  test('moves with time, and its past stays what it was', async () => {
    const source = await open()
    const start = await priceOf(source)
    timeMs += 1_500
    expect(await priceOf(source)).not.toBe(start)
    timeMs -= 1_500
    expect(await priceOf(source)).toBe(start)
  })

  test('never leaves its anchor by more than its waves reach, over a year of hours', async () => {
    const source = await open()
    const [low, high] = [(620n * E18 * (PPM - REACH_PPM)) / PPM, (620n * E18 * (PPM + REACH_PPM)) / PPM]
    const seen = new Set<bigint>()
    for (let hour = 0; hour < 365 * 24; hour += 7) {
      timeMs += 7 * 3_600_000
      const ticker = await source.ticker('BNBUSDT')
      const price = ticker?.priceE18 as bigint
      seen.add(price)
      expect(price >= low && price <= high).toBe(true)
      expect((ticker?.lowE18 as bigint) <= price && (ticker?.highE18 as bigint) >= price).toBe(true)
    }
    expect(seen.size).toBeGreaterThan(1_000)
  })

  test('tells its change against the price a day before', async () => {
    const source = await open()
    const dayAgo = await priceOf(source)
    timeMs += DAY_MS
    const ticker = await source.ticker('BNBUSDT')
    const change = (((ticker?.priceE18 as bigint) - dayAgo) * PPM) / dayAgo
    expect(ticker?.changePpm).toBe(change)
    expect(ticker?.time).toEqual(new Date(timeMs))
    expect(ticker?.volume).toBe(0n)
  })

  test('is not known for other symbols', async () => {
    const source = await open()
    expect(await source.ticker('DOGEUSDT')).toBeUndefined()
    expect(await source.ticker('__proto__')).toBeUndefined()
    expect(await source.setPrice('DOGEUSDT', E18)).toBe(false)
    expect(saved.size).toBe(0)
  })
})

describe('a price that is set', () => {
  test.each([1n, 123_456_789n, E18 / 3n, 700n * E18, 10n ** 30n])(
    'to %d holds at that moment, for that symbol alone',
    async (price) => {
      const source = await open()
      const eth = await priceOf(source, 'ETHUSDT')
      expect(await source.setPrice('BNBUSDT', price)).toBe(true)
      // Up to one unit above: the anchor is rounded up so that it is never zero.
      const set = await priceOf(source)
      expect(set === price || set === price + 1n).toBe(true)
      expect(await priceOf(source, 'ETHUSDT')).toBe(eth)
    },
  )

  test('moves on from there with time, and is kept over a restart', async () => {
    const source = await open()
    await source.setPrice('BNBUSDT', 700n * E18)
    timeMs += 60_000
    const moved = await priceOf(source)
    expect(moved).not.toBe(700n * E18)
    expect((moved - 700n * E18) ** 2n).toBeLessThan((14n * E18) ** 2n)
    expect(await priceOf(await open())).toBe(moved)
  })
})
