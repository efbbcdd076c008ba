import { E18 } from '@clearwell/money/scale'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { leastScheduleOutput } from '@clearwell/rules/plans'
import { beforeEach, expect, test } from 'vitest'
import { frozenAccounts } from '../../platform/ledger/frozen-accounts.ts'
import { exits } from '../../platform/ledger/leaving-accounts.ts'
import { PlanLedger, POOL, RULES, schedule } from '../../testing/plan-ledger.ts'
import { units } from '../../testing/swap-ledger.ts'
import { pausePlan, resumePlan } from './change-plan.ts'
import { planRuns } from './plan.tables.ts'
import { runSchedule } from './run-schedule.ts'

// The ledger starts on 22 November at 08:00 in Hong Kong. Each moment is the middle of its hour.
let ledger: PlanLedger
beforeEach(() => {
  ledger = new PlanLedger()
  ledger.join('whale')
  ledger.give('whale', 'USDT', '100000')
  ledger.give('whale', 'BNB', '500')
})

const runs = () => ledger.rows(planRuns).map(({ day, status, reason }) => ({ day, status, reason }))
const noticesOf = () => ledger.notices().map(({ kind, params }) => ({ kind, params }))
const change = { userId: 'trader', pool: POOL, key: undefined }

test('sells at spot less fee and slippage, and draws the next run', () => {
  const id = ledger.create(schedule(), { amount: units('0.5') })
  expect(ledger.rowOf(id)).toMatchObject({
    next_day: '2026-11-22',
    next_hour_at: new Date('2026-11-22T06:00:00Z'),
    next_run_at: new Date('2026-11-22T06:30:00Z'),
  })
  expect(ledger.runSchedule(id)).toBe('made')
  const [run] = ledger.rows(planRuns)
  const [receipt] = ledger.receipts()
  expect(run).toMatchObject({ id: `${id}:2026-11-22`, status: 'made', swap_id: receipt?.id, amount_in: units('0.5') })
  expect(receipt).toMatchObject({ user_id: 'trader', amount_in: units('0.5'), amount_out: run?.amount_out })
  expect(ledger.rowOf(id)).toMatchObject({
    status: 'active',
    skipped: 0,
    last_run_at: new Date('2026-11-22T06:30:00Z'),
    next_day: '2026-11-23',
    next_run_at: new Date('2026-11-23T06:30:00Z'),
  })
  expect(noticesOf()).toEqual([
    {
      kind: 'plan_made',
      params: {
        plan_id: id,
        kind: 'schedule',
        symbol: 'BNBUSDT',
        sold: 'BNB',
        amount_in: '0.5',
        bought: 'USDT',
        amount_out: '299.10082346429718178',
        transaction_id: receipt?.id,
      },
    },
  ])
})

test('accepts the least output exactly, and skips one unit below', () => {
  const id = ledger.create(schedule({ slippageBps: 300 }), { amount: units('1') })
  // 1 BNB pays 597.9… USDT: find the spot price at which that is the least output.
  const paid = 597_903_591_167_810_109_415n
  const leastAt = (priceE18: bigint) =>
    leastScheduleOutput({ amountIn: units('1'), priceE18, inverse: false, feeBps: 25n, slippageBps: 300n })
  let spotE18 = (paid * E18 * 100_000_000n) / (9_975n * 9_700n * E18)
  while (leastAt(spotE18 + 1n) <= paid) spotE18 += 1n
  ledger.spotE18 = spotE18 + 1n
  expect(ledger.runSchedule(id)).toBe('skipped')
  ledger.spotE18 = spotE18
  expect(ledger.runSchedule(id)).toBe('made')
  expect(runs()).toEqual([
    { day: '2026-11-22', status: 'skipped', reason: 'slippage' },
    { day: '2026-11-23', status: 'made', reason: null },
  ])
})

test.each([
  ['balance', () => {}, { amount: units('2.1') }],
  [
    'price_unknown',
    () => {
      ledger.spotE18 = undefined
    },
    {},
  ],
  ['slippage', () => ledger.swap({ amountIn: units('30'), minAmountOut: 0n }, { userId: 'whale' }), {}],
  ['suspended', () => ledger.setSuspended(true), {}],
  [
    'price_deviation',
    () => {
      ledger.band = { lowE18: units('600'), highE18: units('610') }
    },
    {},
  ],
] as const)('skips a run for %s and says so', (reason, prepare, more) => {
  const id = ledger.create(schedule(), more)
  prepare()
  const before = [ledger.has('trader', 'BNB'), ledger.reserves()]
  expect(ledger.runSchedule(id)).toBe('skipped')
  expect(runs()).toEqual([{ day: '2026-11-22', status: 'skipped', reason }])
  expect(ledger.rowOf(id)).toMatchObject({ status: 'active', skipped: 1, next_day: '2026-11-23' })
  expect(noticesOf()).toMatchObject([{ kind: 'plan_skipped', params: { reason, skipped: 1, sold: 'BNB' } }])
  expect([ledger.has('trader', 'BNB'), ledger.reserves()]).toEqual(before)
})

test('pauses after three skipped runs in a row', () => {
  const id = ledger.create(schedule(), { amount: units('3') })
  expect([ledger.runSchedule(id), ledger.runSchedule(id), ledger.runSchedule(id)]).toEqual([
    'skipped',
    'skipped',
    'paused',
  ])
  expect(ledger.rowOf(id)).toMatchObject({ status: 'paused', reason: 'three_skipped', next_run_at: null, skipped: 3 })
  expect(noticesOf().map(({ kind }) => kind)).toEqual(['plan_skipped', 'plan_skipped', 'plan_paused'])
  expect(noticesOf().at(-1)?.params).toEqual({
    plan_id: id,
    kind: 'schedule',
    symbol: 'BNBUSDT',
    reason: 'three_skipped',
    last_reason: 'balance',
  })
  expect(ledger.openOf('trader')).toBe(1)
})

test('counts skipped runs from zero after one that was made', () => {
  const id = ledger.create(schedule(), { amount: units('3') })
  ledger.runSchedule(id)
  ledger.runSchedule(id)
  ledger.give('trader', 'BNB', '1')
  expect(ledger.runSchedule(id)).toBe('made')
  expect(ledger.runSchedule(id)).toBe('skipped')
  expect(ledger.rowOf(id)).toMatchObject({ status: 'active', skipped: 1 })
})

test('makes one run after an outage, not the missed ones', () => {
  const id = ledger.create(schedule(), { amount: units('0.1') })
  ledger.now = new Date('2026-11-27T01:00:00Z')
  expect(ledger.runSchedule(id)).toBe('made')
  expect(runs()).toEqual([{ day: '2026-11-22', status: 'made', reason: null }])
  expect(ledger.rowOf(id)).toMatchObject({ next_day: '2026-11-27', next_run_at: new Date('2026-11-27T06:30:00Z') })
})

test('is not due before its moment, nor for another day', () => {
  const id = ledger.create(schedule())
  const row = ledger.rowOf(id)
  const due = { ...change, id, parentId: null, poolId: POOL.id, inverse: false, amount: row.amount, slippageBps: 50 }
  const deps = { swaps: ledger.swaps, pool: POOL, rules: RULES, referenceE18: ledger.spotE18 }
  const run = (day = row.next_day as HongKongDay) => ledger.execute(runSchedule(deps, { ...due, day }))
  ledger.now = new Date((row.next_run_at as Date).getTime() - 1)
  expect([run(), ledger.rowOf(id), runs()]).toEqual(['gone', row, []])
  ledger.now = row.next_run_at as Date
  expect([run('2026-11-21'), ledger.rowOf(id), runs()]).toEqual(['gone', row, []])
  const unknown = runSchedule(deps, { ...due, id: 'unknown', day: '2026-11-22' as HongKongDay })
  expect(ledger.execute(unknown)).toBe('gone')
  expect(run()).toBe('made')
})

test('the next day follows a run at the start of its hour', () => {
  ledger.moment = '000000000000'
  const id = ledger.create(schedule(), { amount: units('0.5') })
  expect(ledger.rowOf(id).next_run_at).toEqual(new Date('2026-11-22T06:00:00Z'))
  expect([ledger.runSchedule(id), ledger.now]).toEqual(['made', new Date('2026-11-22T06:00:00Z')])
  expect(ledger.rowOf(id)).toMatchObject({ next_day: '2026-11-23', next_run_at: new Date('2026-11-23T06:00:00Z') })
})

test('counts once for a day when it is resumed within the hour', () => {
  const id = ledger.create(schedule(), { amount: units('0.5') })
  ledger.runSchedule(id)
  ledger.execute(pausePlan({ ...change, planId: id }))
  // A clock that went back makes the same day the next one.
  ledger.now = new Date('2026-11-22T05:00:00Z')
  ledger.execute(resumePlan({ swaps: ledger.swaps }, { ...change, planId: id }))
  expect(ledger.rowOf(id).next_day).toBe('2026-11-22')
  ledger.runSchedule(id)
  expect([runs().length, ledger.has('trader', 'BNB')]).toEqual([1, units('1.5')])
  expect(ledger.rowOf(id)).toMatchObject({ status: 'active', next_day: '2026-11-23' })
  expect(noticesOf().map(({ kind }) => kind)).toEqual(['plan_made'])
})

test('ends after its last run', () => {
  const id = ledger.create(schedule({ endsAt: new Date('2026-11-23T07:00:00Z') }), { amount: units('0.5') })
  ledger.runSchedule(id)
  ledger.runSchedule(id)
  expect(ledger.rowOf(id)).toMatchObject({ status: 'done', reason: 'date', next_run_at: null })
  expect([ledger.openOf('trader'), runs().length]).toEqual([0, 2])
  expect(noticesOf().map(({ kind }) => kind)).toEqual(['plan_made', 'plan_made', 'plan_ended'])
})

test('ends at its run when its owner leaves', () => {
  const id = ledger.create(schedule())
  ledger.put(exits, {
    id: 'trader',
    state: 'open',
    exit_at: ledger.now,
    block: 7n,
    changed_at: ledger.now,
    owes: false,
    vault: null,
  })
  expect(ledger.runSchedule(id)).toBe('gone')
  expect(ledger.rowOf(id)).toMatchObject({ status: 'ended', reason: 'exit', next_run_at: null })
})

test('ends at its run when its owner is frozen', () => {
  const id = ledger.create(schedule())
  const [frozen, ends] = [ledger.now, new Date('2026-12-06T00:00:00Z')]
  ledger.put(frozenAccounts, { id: 'trader', frozen_at: frozen, ends_at: ends, reason: 'a test' })
  expect(ledger.runSchedule(id)).toBe('gone')
  expect(ledger.rowOf(id)).toMatchObject({ status: 'ended', reason: 'freeze', next_run_at: null })
  expect([ledger.openOf('trader'), ledger.receipts(), runs()]).toEqual([0, [], []])
  expect(noticesOf()).toMatchObject([{ kind: 'plan_ended', params: { reason: 'freeze' } }])
})
