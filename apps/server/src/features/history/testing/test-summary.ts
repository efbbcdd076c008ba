import type { ResponseOf } from '@clearwell/api/routes'
import { mulDiv } from '@clearwell/money/mul-div'
import { formatEther, parseEther } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { TestServer, TestUser } from '../../../testing/server.ts'

const E18 = 10n ** 18n
const HOUR_S = 3_600

/** Tests the summary on the server of its feature, with a separate user. A day and a half passes. */
export function testSummary(server: () => TestServer): void {
  let user: TestUser
  beforeAll(async () => {
    user = await server().newUser()
    await user.transferIn('USDT', '1000')
    await user.activateByBalance()
    await sell(server(), user, 'bnb-usdt', '100')
    await advance(5 * HOUR_S)
    await sell(server(), user, 'rt-usdt', '200')
    await advance(30 * HOUR_S)
    await user.transferIn('BNB', '2')
    await advance(3 * HOUR_S)
  })

  const advance = (seconds: number) => server().ok('localAdvance', { seconds })

  const summaryOf = (period?: 'day' | 'week' | 'month' | 'year') =>
    server().ok('summary', period ? { period } : {}, { token: user.token })

  test.each([
    ['day', 25],
    ['week', 29],
    ['month', 31],
    ['year', 53],
  ] as const)('a summary over a %s has %d points, priced at their time', async (period, count) => {
    const { items } = await server().ok('logs', { limit: 100 }, { token: user.token })
    const { history, total_usdt } = await summaryOf(period)
    expect(history).toHaveLength(count)
    const last = history.pop()
    expect(last?.value_usdt).toBe(total_usdt)
    let above = 0
    for (const point of history) {
      const time = new Date(point.time)
      const values = await valuesAt(server(), items, time)
      above += values.length
      expect(point.value_usdt).toBe(formatEther(values.reduce((sum, value) => sum + value, 0n)))
    }
    // A year has one point per week, and the whole test takes two days.
    if (period !== 'year') expect(above).toBeGreaterThan(0)
  })

  test('the default period is a month', async () => {
    expect((await summaryOf()).history).toHaveLength(31)
  })

  test('points before the first entry have a value of zero', async () => {
    expect((await summaryOf('month')).history[0]?.value_usdt).toBe('0')
    const other = await server().newUser({ faucet: false })
    const nothing = await server().ok('summary', {}, { token: other.token })
    expect(nothing.total_usdt).toBe('0')
    expect(new Set(nothing.history.map((point) => point.value_usdt))).toEqual(new Set(['0']))
  })

  test('amounts match the ledger, and the parts add up to the total', async () => {
    const { total_usdt, by_asset, by_place } = await summaryOf()
    const balances = await server().ok('balances', {}, { token: user.token })
    expect(by_asset.map(({ asset, amount }) => [asset, amount])).toEqual(
      balances.map(({ asset, total }) => [asset, total]),
    )
    const sum = (parts: readonly { value_usdt: string | null }[]) =>
      parts.reduce((total, part) => total + parseEther(part.value_usdt ?? ''), 0n)
    expect(formatEther(sum(by_asset))).toBe(total_usdt)
    expect(formatEther(sum(by_place))).toBe(total_usdt)
    expect(by_place.map(({ place }) => place)).toEqual(['available', 'locked', 'pledged', 'collateral', 'rt_deposit'])
  })

  testPerformance(server, () => user)
}

function testPerformance(server: () => TestServer, user: () => TestUser): void {
  test('performance leaves transfers and the activation fee out', async () => {
    const { performance, total_usdt, history } = await server().ok(
      'summary',
      { period: 'week' },
      { token: user().token },
    )
    const { items } = await server().ok('logs', { limit: 100 }, { token: user().token })
    const deposits = items.filter(({ kind }) => kind === 'deposit')
    let transferredIn = 0n
    for (const { asset, amount, created_at } of deposits)
      transferredIn += mulDiv(parseEther(amount), await chartPrice(server(), asset, new Date(created_at)), E18, 'down')
    const change = parseEther(total_usdt ?? '') - transferredIn + parseEther('10')
    expect(performance).toMatchObject({
      since: history[0]?.time,
      start_usdt: '0',
      transferred_in_usdt: formatEther(transferredIn),
      transferred_out_usdt: '0',
      activation_usdt: '10',
      change_usdt: formatEther(change),
    })
    expect(change < 0n).toBe(performance?.change?.startsWith('-'))
  })

  test('a transfer in alone is no gain', async () => {
    const other = await server().newUser()
    await other.transferIn('USDT', '500')
    const { performance } = await server().ok('summary', { period: 'day' }, { token: other.token })
    expect(performance).toMatchObject({ transferred_in_usdt: '500', change_usdt: '0', change: '0' })
  })
}

/** Sells USDT. */
async function sell(server: TestServer, { token }: TestUser, pool_id: string, amount: string): Promise<void> {
  const { time } = await server.ok('localAdvance', { seconds: 1 })
  const deadline = new Date(new Date(time).getTime() + 60_000).toISOString()
  await server.ok('doSwap', { pool_id, amount, inverse: 1, min_amount_out: '0', deadline }, { token })
}

/** The price at a time as charts show it: the close of the last finished candle. */
async function chartPrice(server: TestServer, asset: string, time: Date): Promise<bigint> {
  if (asset === 'USDT') return E18
  const candles =
    asset === 'RT'
      ? await server.ok('swapKline', { pool_id: 'rt-usdt', interval: '1m', to: time.toISOString() })
      : await server.ok('spotKline', { symbol: `${asset}USDT`, interval: '1h', to: time.toISOString() })
  const spanMs = asset === 'RT' ? 60_000 : 3_600_000
  const over = candles.filter((candle) => new Date(candle.time).getTime() + spanMs <= time.getTime())
  return parseEther(over.at(-1)?.close ?? 'there is none')
}

/** The value of each asset with an entry by then, from the entries of the list, newest first. */
async function valuesAt(server: TestServer, items: ResponseOf<'logs'>['items'], time: Date): Promise<bigint[]> {
  const values: bigint[] = []
  for (const asset of ['BNB', 'USDT', 'ETH', 'RT']) {
    const newest = items.find((item) => item.asset === asset && new Date(item.created_at) <= time)
    if (!newest) continue
    values.push(mulDiv(parseEther(newest.balance_after), await chartPrice(server, asset, time), E18, 'down'))
  }
  return values
}
