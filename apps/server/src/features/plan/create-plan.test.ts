import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { E18 } from '@clearwell/money/scale'
import { limitTriggerE18 } from '@clearwell/rules/plans'
import { beforeEach, expect, test } from 'vitest'
import { limitAt, PlanLedger, RULES, schedule } from '../../testing/plan-ledger.ts'
import { RT_POOL, units } from '../../testing/swap-ledger.ts'

// The ledger starts on 22 November at 08:00 in Hong Kong.
let ledger: PlanLedger
beforeEach(() => {
  ledger = new PlanLedger()
})

const refusal = (...creation: Parameters<PlanLedger['create']>) => refusalOf(() => ledger.create(...creation))

test('locks nothing, and stores what the limit waits for', () => {
  const before = [ledger.has('trader', 'BNB'), ledger.reserves()]
  const id = ledger.create(limitAt('700'), { amount: units('100') })
  expect([ledger.has('trader', 'BNB'), ledger.reserves()]).toEqual(before)
  expect(ledger.rowOf(id)).toMatchObject({
    user_id: 'trader',
    kind: 'limit',
    status: 'active',
    price_e18: units('700'),
    trigger_e18: limitTriggerE18({
      amountIn: units('100'),
      leastOut: units('70000'),
      inverse: false,
      reserves: ledger.reserves(),
      fees: ledger.swaps.fees.in(ledger, ledger.now),
    }),
    armed_fee_bps: 25,
    next_run_at: null,
  })
})

test.each([
  ['14:00 today is ahead', { hour: 14 }, '2026-11-22', '2026-11-22T06:00:00.000Z'],
  ['08:00 begins now', { hour: 8 }, '2026-11-22', '2026-11-22T00:00:00.000Z'],
  ['07:00 has passed', { hour: 7 }, '2026-11-23', '2026-11-22T23:00:00.000Z'],
  ['the first day is chosen', { startsAt: new Date('2026-11-30T20:00:00Z') }, '2026-12-01', '2026-12-01T06:00:00.000Z'],
  [
    'the first day has passed',
    { startsAt: new Date('2026-11-20T00:00:00Z'), every: 'week' },
    '2026-11-27',
    '2026-11-27T06:00:00.000Z',
  ],
] as const)('a schedule runs first when %s', (_what, wish, day, hour) => {
  const row = ledger.rowOf(ledger.create(schedule(wish)))
  expect([row.next_day, row.next_hour_at?.toISOString()]).toEqual([day, hour])
})

test('shows the hour of a schedule, never its moment', () => {
  const shown = ledger.execute(ledger.creation(schedule()))
  expect(shown.next_at).toBe('2026-11-22T06:00:00.000Z')
  expect(ledger.rowOf(shown.plan_id).next_run_at?.toISOString()).toBe('2026-11-22T06:30:00.000Z')
  expect(JSON.stringify(shown)).not.toContain('06:30')
})

test('draws another moment for each plan', () => {
  const { decide } = ledger.creation(schedule())
  const moments = ['000000000000', '00000036ee7f'].map((draw) => {
    const { rows = [] } = decide(ledger, { now: ledger.now, id: (label) => (label === 'moment' ? draw : label) })
    return rows.map(({ row }) => 'next_run_at' in row && row.next_run_at)[0]
  })
  expect(moments).toEqual([new Date('2026-11-22T06:00:00.000Z'), new Date('2026-11-22T06:59:59.999Z')])
})

test.each([
  ['selling USDT', { inverse: true, amount: units('10') - 1n }, limitAt('600'), '10'],
  // 10 USDT at 590 are 0.0169… BNB, rounded up.
  ['a limit at its own price', { amount: units('0.016949152542372881') }, limitAt('590'), '0.016949152542372882'],
  // 10 USDT at 600 are 0.01666… BNB.
  ['a schedule at spot', { amount: units('0.016666666666666666') }, schedule(), '0.016666666666666667'],
] as const)('rejects less than 10 USDT when %s', (_what, more, wish, min) => {
  expect(refusal(wish, more)).toEqual({ refusal: 'amount_out_of_range', data: { min } })
  const least = units(min)
  expect(ledger.rowOf(ledger.create(wish, { ...more, amount: least })).amount).toBe(least)
})

test('values a schedule of RT at the mean price of the hour', async () => {
  expect(await ledger.swaps.referenceE18(RT_POOL.id)).toBe(E18 / 10n)
  const pool = { id: 'rt-usdt', base: 'RT', quote: 'USDT', symbol: 'RTUSDT' } as const
  const wish = schedule({ referenceE18: E18 / 10n })
  expect(refusal(wish, { pool, amount: units('99') })).toEqual({ refusal: 'amount_out_of_range', data: { min: '100' } })
  expect(ledger.rowOf(ledger.create(wish, { pool, amount: units('100') }))).toMatchObject({ pool_id: 'rt-usdt' })
})

test('rejects a schedule that it cannot value', () => {
  const unknown = schedule({ referenceE18: undefined })
  expect(refusal(unknown)).toEqual({ refusal: 'price_out_of_date', data: { reason: 'unknown' } })
  // USDT needs no price.
  expect(ledger.rowOf(ledger.create(unknown, { inverse: true, amount: units('10') })).status).toBe('active')
})

test('rejects a pool without USDT', () => {
  const pool = { id: 'bnb-usdt', base: 'BNB', quote: 'ETH', symbol: 'BNBETH' } as const
  ledger.add('pool:bnb-usdt', 'ETH', units('10'))
  expect(refusal(limitAt('600'), { pool })).toMatchObject({ refusal: 'invalid_input' })
})

test('rejects a limit that its pool can never reach', () => {
  const unreachable = limitAt('10000000000000000000000000')
  expect(refusal(unreachable)).toMatchObject({ refusal: 'amount_out_of_range' })
})

test.each([
  ['has passed', limitAt('600', new Date('2026-11-22T00:00:00Z'))],
  ['is more than a year ahead', limitAt('600', new Date('2027-11-22T00:00:00.001Z'))],
  ['is before the first run', schedule({ endsAt: new Date('2026-11-22T06:00:00Z') })],
])('rejects an end that %s', (_what, wish) => {
  expect(refusal(wish)).toMatchObject({ refusal: 'invalid_input', data: { fields: { ends_at: expect.any(String) } } })
})

test('accepts an end in a year, to the millisecond', () => {
  const endsAt = new Date('2027-11-22T00:00:00Z')
  expect(ledger.rowOf(ledger.create(limitAt('600', endsAt))).ends_at).toEqual(endsAt)
})

test('rejects a pool that was never opened', () => {
  const pool = { id: 'eth-usdt', base: 'ETH', quote: 'USDT', symbol: 'ETHUSDT' } as const
  for (const wish of [limitAt('600'), schedule()])
    expect(refusal(wish, { pool })).toEqual({ refusal: 'not_found', data: {} })
})

test('rejects a user who is not activated, before anything else', () => {
  expect(refusal(limitAt('600'), { userId: 'stranger', amount: 1n })).toMatchObject({ refusal: 'not_activated' })
})

test('allows 50 open plans, and one more after one has ended', () => {
  const ids = Array.from({ length: RULES.maxOpen }, () => ledger.create(limitAt('590'), { amount: units('3') }))
  expect(refusal(limitAt('590'))).toEqual({ refusal: 'too_many_open', data: { max: 50 } })
  ledger.runLimit(ids[0] ?? '')
  ledger.create(limitAt('590'))
  expect(refusal(limitAt('590'))).toMatchObject({ refusal: 'too_many_open' })
})

test('binds its key to the plan, not to the price', () => {
  const common = { pool: 'bnb-usdt', inverse: false, amount: '1000000000000000000' }
  const endsAt = new Date('2026-12-01T00:00:00Z')
  expect(ledger.creation(limitAt('590', endsAt), { key: 'key' })).toMatchObject({
    ...{ kind: 'create_plan', owner: 'trader', key: 'key', worksUnproven: true },
    payload: { ...common, kind: 'limit', price: '590000000000000000000', endsAt: '2026-12-01T00:00:00.000Z' },
  })
  const payloadOf = (wish: Parameters<typeof schedule>[0]) => ledger.creation(schedule(wish)).payload
  const run = { ...common, kind: 'schedule', every: 'day', hour: 14, slippageBps: 50 }
  expect(payloadOf({ referenceE18: 1n })).toEqual({ ...run, times: [null, null] })
  expect(payloadOf({ startsAt: ledger.now, endsAt })).toEqual({
    ...run,
    times: ['2026-11-22T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  })
})
