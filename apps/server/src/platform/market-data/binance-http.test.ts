import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BinanceHttp, createBinanceHttp, ExchangeError } from './binance-http.ts'
import { startTestBinance, type TestBinance, type TestLie } from './testing/binance.ts'

const RULES = { maxWeightPerMinute: 20, timeoutMs: 10_000, backoffMs: 1_000, maxBackoffMs: 30_000 }
const TIME = { path: '/api/v3/time', weight: 1 }

let nowMs: number
let randomly: number
let binance: TestBinance
let http: BinanceHttp
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 21, 9)
  randomly = 1
  binance = await startTestBinance(() => nowMs)
  http = open()
})
afterEach(() => binance.stop())

const open = (rules = RULES) =>
  createBinanceHttp({ url: binance.restUrl, clock: { now: () => new Date(nowMs) }, random: () => randomly, rules })

/** Returns the error message of a failed request. */
async function complaint(question = TIME): Promise<string> {
  const error = await http.ask(question).then(
    () => new Error('it was answered'),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(ExchangeError)
  return (error as Error).message
}

/** Lies once, then is honest again. */
function lieOnce(lie: TestLie): void {
  binance.lie = () => {
    binance.lie = undefined
    return lie
  }
}

test('a request returns the exchange’s response to its query', async () => {
  expect(await http.ask(TIME)).toEqual({ serverTime: nowMs })
  await http.ask({ path: '/api/v3/ticker/24hr', query: { symbols: '["BNBUSDT"]' }, weight: 2 })
  expect(binance.asked.at(-1)).toEqual({ path: '/api/v3/ticker/24hr', query: { symbols: '["BNBUSDT"]' } })
})

describe('the exchange that says that it was asked too often', () => {
  test.each([
    ['429 with its time', { status: 429, headers: { 'retry-after': '7' } }, 7_000],
    ['418, which is a ban', { status: 418, headers: { 'retry-after': '120' } }, 120_000],
    ['429 without a time', { status: 429 }, 60_000],
    ['429 with a time that is none', { status: 429, headers: { 'retry-after': 'soon' } }, 60_000],
    ['429 with no time at all to wait', { status: 429, headers: { 'retry-after': '0' } }, 1_000],
    ['418 for ever', { status: 418, headers: { 'retry-after': '99999999' } }, 3 * 86_400_000],
    ['403, of its firewall', { status: 403 }, 60_000],
  ])('an exchange that limits requests by %s is asked after the pause', async (_name, lie, waitMs) => {
    lieOnce(lie)
    expect(await complaint()).toBe(`the exchange answered HTTP ${lie.status} to /api/v3/time`)
    expect(http.pauseLeftMs()).toBe(waitMs)
    nowMs += waitMs - 1
    expect(await complaint()).toContain('the exchange is not asked again for another 1 s')
    expect(binance.asked).toHaveLength(1)
    nowMs += 1
    expect(http.pauseLeftMs()).toBe(0)
    await http.ask(TIME)
    expect(binance.asked).toHaveLength(2)
  })

  test('a later, shorter pause does not shorten the first', async () => {
    const times = ['50', '5']
    binance.lie = () => ({ status: 429, headers: { 'retry-after': times.shift() ?? '0' } })
    await Promise.all([complaint(), complaint()])
    expect(http.pauseLeftMs()).toBe(50_000)
  })
})

describe('the weight of a minute', () => {
  test('the request weight starts from zero each minute', async () => {
    binance.lie = () => ({ headers: { 'x-mbx-used-weight-1m': '0' } })
    for (let weight = 0; weight < 20; weight += 4) await http.ask({ ...TIME, weight: 4 })
    expect(await complaint()).toBe('the weight of this minute is used up')
    expect(binance.asked).toHaveLength(5)
    nowMs += 59_999
    expect(await complaint()).toBe('the weight of this minute is used up')
    nowMs += 1
    await http.ask(TIME)
  })

  test('the request weight follows the exchange’s count when that is higher', async () => {
    binance.lie = () => ({ headers: { 'x-mbx-used-weight-1m': '19' } })
    await http.ask(TIME)
    expect(await complaint({ ...TIME, weight: 2 })).toBe('the weight of this minute is used up')
    await http.ask(TIME)
  })

  test('charts leave half of the request weight for prices', async () => {
    binance.lie = () => ({ headers: { 'x-mbx-used-weight-1m': '9' } })
    const chart = { path: '/api/v3/klines', query: { interval: '1m', endTime: '0', limit: '1' }, weight: 2 }
    await http.ask(TIME)
    await expect(http.ask({ ...chart, isChart: true })).rejects.toThrow('the weight of this minute is used up')
    await http.ask(chart)
  })

  test('a malformed weight header is ignored', async () => {
    binance.lie = () => ({ headers: { 'x-mbx-used-weight-1m': 'lots' } })
    await http.ask(TIME)
    await http.ask(TIME)
  })
})

describe('a failure', () => {
  const noJson = 'the exchange answered /api/v3/time with something that is no JSON'
  test.each<[string, TestLie, string | RegExp]>([
    ['a page instead of an answer', { body: '<!doctype html><title>Maintenance</title>' }, noJson],
    ['half an answer', { body: '{"serverTime":17', headers: {} }, noJson],
    ['an answer that breaks off', { cut: true }, /^the exchange could not be asked \/api\/v3\/time \(\w+( \w+)?\)$/],
    [
      'an answer without an end',
      { body: `"${'a'.repeat(5 * 1024 * 1024)}"` },
      'the exchange answered more than is read',
    ],
    ['HTTP 500', { status: 500 }, 'the exchange answered HTTP 500'],
    ['HTTP 503', { status: 503, body: '<html>' }, 'the exchange answered HTTP 503'],
    ['another place to ask', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, /could not be asked/],
  ])('a failure by %s starts a pause', async (_name, lie, why) => {
    lieOnce(lie)
    if (typeof why === 'string') expect(await complaint()).toBe(why)
    else expect(await complaint()).toMatch(why)
    expect(await complaint()).toBe('the exchange is not asked again for another 1 s')
    expect(binance.asked).toHaveLength(1)
    nowMs += 1_000
    await http.ask(TIME)
  })

  test('a request without a response fails after its timeout', async () => {
    http = open({ ...RULES, timeoutMs: 50 })
    binance.lie = () => ({ hang: true })
    expect(await complaint()).toBe('the exchange did not answer /api/v3/time in time')
    expect(await complaint()).toBe('the exchange is not asked again for another 1 s')
  })

  test('the error of an unreachable exchange contains no address', async () => {
    await binance.stop()
    expect(await complaint()).toBe('the exchange could not be asked /api/v3/time (ECONNREFUSED)')
    binance = await startTestBinance(() => nowMs)
  })

  test('repeated failures double the pause up to its maximum; success resets it', async () => {
    binance.lie = () => ({ status: 500 })
    const waitsS: number[] = []
    for (let failure = 1; failure <= 7; failure++) {
      expect(await complaint()).toBe('the exchange answered HTTP 500')
      waitsS.push(Number(/for another (\d+) s$/.exec(await complaint())?.[1]))
      nowMs += (waitsS.at(-1) ?? 0) * 1_000
    }
    expect(waitsS).toEqual([1, 2, 4, 8, 16, 30, 30])
    binance.lie = undefined
    await http.ask(TIME)
    lieOnce({ status: 500 })
    await complaint()
    nowMs += 1_000
    await http.ask(TIME)
  })

  test('a pause is shortened randomly by up to half', async () => {
    randomly = 0
    lieOnce({ status: 500 })
    await complaint()
    nowMs += 499
    expect(await complaint()).toContain('not asked again')
    nowMs += 1
    await http.ask(TIME)
  })

  test('a rejected request starts no pause', async () => {
    expect(await complaint({ path: '/api/v3/nothing', weight: 1 })).toBe(
      'the exchange answered HTTP 400 to /api/v3/nothing',
    )
    await http.ask(TIME)
  })
})

test('stopping the client ends requests in progress', async () => {
  binance.lie = () => ({ hang: true })
  const asked = complaint()
  http.stop()
  expect(await asked).toMatch(/aborted/)
})
