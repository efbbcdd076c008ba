import type { Command } from '@clearwell/ledger/command'
import { poolDepth } from '@clearwell/rules/plans'
import { beforeEach, expect, test } from 'vitest'
import { limitAt, PlanLedger, POOL, schedule } from '../../testing/plan-ledger.ts'
import { units } from '../../testing/swap-ledger.ts'
import { pausePlan } from './change-plan.ts'
import { armLimits, endAllPlans, endPlans, expirePlans } from './end-plans.ts'
import { plans } from './plan.tables.ts'

let ledger: PlanLedger
beforeEach(() => {
  ledger = new PlanLedger()
  ledger.join('other')
})

const findPool = () => POOL
const pause = (planId: string) => ledger.execute(pausePlan({ userId: 'trader', planId, pool: POOL, key: undefined }))
const statusOf = (id: string) => {
  const { status, reason } = ledger.rowOf(id)
  return { status, reason }
}

test.each(['freeze', 'exit'] as const)('a %s ends all open plans of its user and says so', (reason) => {
  const ids = [ledger.create(limitAt('700')), ledger.create(schedule()), ledger.create(limitAt('590'))]
  pause(ids[0] ?? '')
  ledger.runLimit(ids[2] ?? '')
  const others = ledger.create(limitAt('700'), { userId: 'other' })
  expect(ledger.execute(endPlans(findPool, { userId: 'trader', ids: [...ids, others], reason }))).toBe(2)
  expect(ids.map(statusOf)).toEqual([
    { status: 'ended', reason },
    { status: 'ended', reason },
    { status: 'done', reason: null },
  ])
  expect([statusOf(others).status, ledger.openOf('trader'), ledger.openOf('other')]).toEqual(['active', 0, 1])
  const [made, ...ended] = ledger.notices()
  expect(made?.kind).toBe('plan_made')
  expect(ended.map(({ userId, params }) => [userId, params])).toMatchObject([
    ['trader', { reason, kind: 'limit' }],
    ['trader', { reason, kind: 'schedule' }],
  ])
})

test('ends also a plan that is created meanwhile', async () => {
  ledger.create(limitAt('700'))
  let reads = 0
  const openIds = async () => {
    // The second read finds what came after the first.
    if (++reads === 2) ledger.create(schedule())
    return ledger.rows(plans).flatMap(({ id, status }) => (status === 'active' ? [id] : []))
  }
  const writer = { execute: async <Result>(command: Command<Result>) => ledger.execute(command) }
  const ended = await endAllPlans({ store: { openIds }, writer, findPool }, { userId: 'trader', reason: 'exit' })
  expect([ended, reads, ledger.openOf('trader')]).toEqual([2, 3, 0])
})

test('limits and paused schedules expire at their end', () => {
  const endsAt = new Date('2026-11-23T06:15:00Z')
  const [limit, paused, active, later] = [
    ledger.create(limitAt('700', endsAt)),
    ledger.create(schedule({ endsAt })),
    ledger.create(schedule({ endsAt }), { amount: units('0.1') }),
    ledger.create(limitAt('700')),
  ]
  pause(paused)
  ledger.runSchedule(active)
  const ids = [limit, paused, active, later]
  expect(ledger.execute(expirePlans(findPool, ids))).toBe(0)
  ledger.now = endsAt
  expect(ledger.execute(expirePlans(findPool, ids))).toBe(2)
  expect(ids.map((id) => statusOf(id).status)).toEqual(['expired', 'expired', 'active', 'active'])
  // The hour of its last run opened before its end.
  expect([ledger.runSchedule(active), statusOf(active).status]).toEqual(['made', 'done'])
  expect(ledger.openOf('trader')).toBe(1)
})

test('a deeper pool lets large limits come earlier', () => {
  const id = ledger.create(limitAt('700'), { amount: units('100') })
  const paused = ledger.create(limitAt('700'))
  pause(paused)
  const before = ledger.rowOf(id)
  ledger.add('pool:bnb-usdt', 'BNB', units('1000'))
  ledger.add('pool:bnb-usdt', 'USDT', units('600000'))
  expect(ledger.execute(armLimits(ledger.swaps, POOL, [id, paused, 'none']))).toBe(1)
  const after = ledger.rowOf(id)
  expect(after.trigger_e18).toBeLessThan(before.trigger_e18 ?? 0n)
  expect(after.armed_depth).toBe(poolDepth(ledger.reserves()))
  expect(ledger.rowOf(paused).trigger_e18).toBeNull()
})
