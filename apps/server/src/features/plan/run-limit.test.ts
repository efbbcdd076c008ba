import { formatUnits } from '@clearwell/money/decimal'
import { E18 } from '@clearwell/money/scale'
import { isTriggerReached, poolDepth } from '@clearwell/rules/plans'
import { beforeEach, expect, test } from 'vitest'
import { feeDays } from '../../domain/boxes/fee-days.ts'
import { members } from '../../domain/members/members.ts'
import { frozenAccounts } from '../../platform/ledger/frozen-accounts.ts'
import { headerTimes } from '../../platform/ledger/header-age.ts'
import { exits } from '../../platform/ledger/leaving-accounts.ts'
import { limitAt, PlanLedger, POOL } from '../../testing/plan-ledger.ts'
import { START, units } from '../../testing/swap-ledger.ts'
import { planRuns } from './plan.tables.ts'
import { runLimit } from './run-limit.ts'

let ledger: PlanLedger
beforeEach(() => {
  ledger = new PlanLedger()
  ledger.join('whale')
  ledger.give('whale', 'USDT', '200000')
  ledger.give('whale', 'BNB', '500')
})

const buyBnb = (usdt: string) =>
  ledger.swap({ amountIn: units(usdt), minAmountOut: 0n }, { userId: 'whale', inverse: true })
const sellBnb = (bnb: string) => ledger.swap({ amountIn: units(bnb), minAmountOut: 0n }, { userId: 'whale' })
const isReached = (id: string) => {
  const { trigger_e18: trigger, inverse } = ledger.rowOf(id)
  return isTriggerReached({ triggerE18: trigger ?? 0n, inverse }, ledger.reserves())
}
const kinds = () => ledger.notices().map(({ kind }) => kind)

test('sells whole at its price or better, with an ordinary receipt', () => {
  const id = ledger.create(limitAt('610'))
  expect(isReached(id)).toBe(false)
  buyBnb('8000')
  expect(isReached(id)).toBe(true)
  expect(ledger.runLimit(id)).toBe('made')
  const [run] = ledger.rows(planRuns)
  const [, receipt] = ledger.receipts()
  expect(run).toMatchObject({ plan_id: id, day: '2026-11-22', status: 'made', reason: null, swap_id: receipt?.id })
  expect(run?.amount_out).toBeGreaterThanOrEqual(units('610'))
  expect(receipt).toMatchObject({ user_id: 'trader', amount_in: units('1'), amount_out: run?.amount_out })
  expect(ledger.has('trader', 'USDT')).toBe(units('490') + (run?.amount_out ?? 0n))
  expect(ledger.rows(feeDays).find((day) => day.id.startsWith('trader'))?.bnb).toBeGreaterThan(0n)
  expect(ledger.rowOf(id)).toMatchObject({ status: 'done', reason: null, trigger_e18: null, ended_at: START })
  expect(ledger.openOf('trader')).toBe(0)
  expect(ledger.notices()).toMatchObject([
    {
      ...{ userId: 'trader', kind: 'plan_made', key: `${id}:2026-11-22` },
      params: { amount_in: '1', amount_out: formatUnits(run?.amount_out ?? 0n, 18), transaction_id: receipt?.id },
    },
  ])
})

test('buys whole at its price or better', () => {
  const id = ledger.create(limitAt('590'), { inverse: true, amount: units('118') })
  sellBnb('12')
  expect(isReached(id)).toBe(true)
  expect(ledger.runLimit(id)).toBe('made')
  // 118 USDT at 590 are 0.2 BNB.
  expect(ledger.rows(planRuns)[0]?.amount_out).toBeGreaterThanOrEqual(units('0.2'))
  expect(ledger.has('trader', 'USDT')).toBe(units('372'))
})

test('waits while no header was signed for two hours', () => {
  const id = ledger.create(limitAt('590'))
  ledger.put(headerTimes, {
    id: 'last',
    made_at: new Date(START.getTime() - 7_200_001),
    root_made_at: null,
    root_id: null,
  })
  expect([ledger.runLimit(id), ledger.rowOf(id).status]).toEqual(['waits', 'active'])
  ledger.put(headerTimes, { id: 'last', made_at: START, root_made_at: null, root_id: null })
  expect(ledger.runLimit(id)).toBe('made')
})

test('is gone where it is unknown', () => {
  const due = { id: 'unknown', userId: 'trader', parentId: null, poolId: POOL.id, inverse: false, amount: units('1') }
  const command = runLimit({ swaps: ledger.swaps, pool: POOL }, { ...due, priceE18: units('590') })
  expect(ledger.plan(command)).toEqual({ response: 'gone' })
})

test('is made once, however often it is run', () => {
  const id = ledger.create(limitAt('590'))
  expect([ledger.runLimit(id), ledger.runLimit(id)]).toEqual(['made', 'gone'])
  expect(ledger.rows(planRuns)).toHaveLength(1)
})

test('ends and says so when the balance is missing', () => {
  const id = ledger.create(limitAt('590'), { amount: units('2.000000000000000001') })
  expect(ledger.runLimit(id)).toBe('ended')
  expect(ledger.rowOf(id)).toMatchObject({ status: 'ended', reason: 'balance', trigger_e18: null })
  expect(ledger.notices()).toMatchObject([
    {
      kind: 'plan_ended',
      userId: 'trader',
      params: { reason: 'balance', sold: 'BNB', amount_in: '2.000000000000000001' },
    },
  ])
  expect([ledger.has('trader', 'BNB'), ledger.openOf('trader')]).toEqual([units('2'), 0])
})

test('waits without a run while its whole output is below its price', () => {
  // The price of the pool is above the limit's, but fee and impact are not.
  const id = ledger.create(limitAt('599'))
  const before = ledger.rowOf(id)
  expect(isReached(id)).toBe(false)
  expect(ledger.runLimit(id)).toBe('armed')
  expect(ledger.rowOf(id)).toEqual(before)
  expect([ledger.rows(planRuns), kinds()]).toEqual([[], []])
})

test('is armed again when the pool became shallower', () => {
  const id = ledger.create(limitAt('590'), { amount: units('2') })
  const armed = ledger.rowOf(id)
  // Half of the liquidity leaves; the price stays.
  ledger.add('pool:bnb-usdt', 'BNB', -units('950'))
  ledger.add('pool:bnb-usdt', 'USDT', -units('570000'))
  expect(isReached(id)).toBe(true)
  expect(ledger.runLimit(id)).toBe('armed')
  const again = ledger.rowOf(id)
  expect(again.armed_depth).toBe(poolDepth(ledger.reserves()))
  expect(again.trigger_e18).toBeGreaterThan(armed.trigger_e18 ?? 0n)
  expect([isReached(id), ledger.rows(planRuns)]).toEqual([false, []])
})

test('waits while the pool is suspended, and is made after', () => {
  const id = ledger.create(limitAt('590'))
  const before = ledger.rowOf(id)
  ledger.setSuspended(true)
  expect(ledger.runLimit(id)).toBe('waits')
  expect(ledger.rowOf(id)).toEqual(before)
  ledger.setSuspended(false)
  expect(ledger.runLimit(id)).toBe('made')
})

test('waits for a better price when it would leave the band', () => {
  ledger.give('trader', 'BNB', '100')
  const id = ledger.create(limitAt('500'), { amount: units('100') })
  ledger.band = { lowE18: units('590'), highE18: units('610') }
  expect(ledger.runLimit(id)).toBe('armed')
  expect(ledger.rowOf(id).trigger_e18).toBe(603n * E18 + 1n)
  expect([isReached(id), ledger.has('trader', 'BNB')]).toEqual([false, units('102')])
  const buying = ledger.create(limitAt('700'), { inverse: true, amount: units('100000') })
  ledger.give('trader', 'USDT', '100000')
  expect(ledger.runLimit(buying)).toBe('armed')
  expect(ledger.rowOf(buying).trigger_e18).toBe(597n * E18 - 1n)
})

test('expires instead of being made after its date', () => {
  const id = ledger.create(limitAt('590', new Date('2026-11-23T00:00:00Z')))
  ledger.advance(86_400)
  expect(ledger.runLimit(id)).toBe('ended')
  expect(ledger.rowOf(id)).toMatchObject({ status: 'expired', reason: 'date' })
  expect(ledger.notices()).toMatchObject([{ kind: 'plan_ended', params: { reason: 'date' } }])
})

test('ends when its owner is not activated', () => {
  const id = ledger.create(limitAt('590'))
  ledger.put(members, { id: 'trader', activated_at: null, activation_order_id: null })
  expect(ledger.runLimit(id)).toBe('ended')
  expect(ledger.rowOf(id)).toMatchObject({ status: 'ended', reason: 'not_activated' })
})

test('is judged on the reserves that the limit before it left', () => {
  buyBnb('8000')
  ledger.give('trader', 'BNB', '20')
  // Both are reached; the first sale moves the price below the second's.
  const [first, second] = ['1', '2'].map(() => ledger.create(limitAt('607'), { amount: units('6') }))
  expect([isReached(first ?? ''), isReached(second ?? '')]).toEqual([true, true])
  expect([ledger.runLimit(first ?? ''), ledger.runLimit(second ?? '')]).toEqual(['made', 'armed'])
  expect(isReached(second ?? '')).toBe(false)
})

test('ends at its price when its owner leaves', () => {
  const id = ledger.create(limitAt('610'))
  buyBnb('8000')
  ledger.put(exits, {
    id: 'trader',
    state: 'requested',
    exit_at: START,
    block: 7n,
    changed_at: START,
    owes: false,
    vault: null,
  })
  expect(ledger.runLimit(id)).toBe('ended')
  expect(ledger.rowOf(id)).toMatchObject({ status: 'ended', reason: 'exit' })
})

test('ends at its price when its owner is frozen', () => {
  const id = ledger.create(limitAt('610'))
  buyBnb('8000')
  const ends = new Date(START.getTime() + 60_000)
  ledger.put(frozenAccounts, { id: 'trader', frozen_at: START, ends_at: ends, reason: 'a test' })
  expect(ledger.runLimit(id)).toBe('ended')
  expect(ledger.rowOf(id)).toMatchObject({ status: 'ended', reason: 'freeze' })
  expect([ledger.receipts().length, kinds()]).toEqual([1, ['plan_ended']])
})
