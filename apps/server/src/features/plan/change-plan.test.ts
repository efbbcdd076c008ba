import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, describe, expect, test } from 'vitest'
import { limitAt, PlanLedger, POOL, schedule } from '../../testing/plan-ledger.ts'
import { units } from '../../testing/swap-ledger.ts'
import { cancelPlan, pausePlan, resumePlan } from './change-plan.ts'

let ledger: PlanLedger
beforeEach(() => {
  ledger = new PlanLedger()
})

const of = (planId: string, userId = 'trader') => ({ userId, planId, pool: POOL, key: undefined })
const pause = (planId: string, userId?: string) => ledger.execute(pausePlan(of(planId, userId)))
const resume = (planId: string, userId?: string) =>
  ledger.execute(resumePlan({ swaps: ledger.swaps }, of(planId, userId)))
const cancel = (planId: string, userId?: string) => ledger.execute(cancelPlan(of(planId, userId)))

describe('a paused limit', () => {
  test('waits for no price, and at its resumption for that of now', () => {
    const id = ledger.create(limitAt('590'))
    expect(pause(id)).toMatchObject({ status: 'paused', reason: 'user' })
    expect([ledger.rowOf(id).trigger_e18, ledger.runLimit(id), ledger.openOf('trader')]).toEqual([null, 'gone', 1])
    expect(resume(id)).toMatchObject({ status: 'active', reason: null })
    expect(ledger.runLimit(id)).toBe('made')
  })

  test('cannot be resumed after its end', () => {
    const id = ledger.create(limitAt('590'))
    pause(id)
    ledger.now = new Date('2026-12-02T00:00:00Z')
    expect(refusalOf(() => resume(id))).toMatchObject({ refusal: 'conflict', data: { reason: 'plan_date_passed' } })
  })
})

describe('a paused schedule', () => {
  test('makes none of the runs that it missed', () => {
    const id = ledger.create(schedule(), { amount: units('0.1') })
    expect(pause(id)).toMatchObject({ status: 'paused', next_at: null })
    ledger.now = new Date('2026-11-25T07:00:00Z')
    expect(ledger.runSchedule(id, { day: '2026-11-22' })).toBe('gone')
    expect(resume(id)).toMatchObject({ status: 'active', next_at: '2026-11-26T06:00:00.000Z' })
  })

  test('counts skipped runs from zero when it is resumed', () => {
    const id = ledger.create(schedule(), { amount: units('3') })
    for (let run = 0; run < 3; run++) ledger.runSchedule(id)
    expect(ledger.rowOf(id)).toMatchObject({ status: 'paused', skipped: 3 })
    expect(resume(id)).toMatchObject({ status: 'active', reason: null, skipped: 0 })
  })

  test('cannot be resumed when no run is left before its end', () => {
    const id = ledger.create(schedule({ endsAt: new Date('2026-11-23T00:00:00Z') }))
    pause(id)
    ledger.now = new Date('2026-11-22T06:00:01Z')
    expect(refusalOf(() => resume(id))).toMatchObject({ refusal: 'conflict', data: { reason: 'plan_date_passed' } })
  })
})

test('a cancelled plan is over', () => {
  const [active, paused] = [ledger.create(limitAt('590')), ledger.create(schedule())]
  pause(paused)
  expect([cancel(active).status, cancel(paused).status]).toEqual(['cancelled', 'cancelled'])
  expect([ledger.openOf('trader'), ledger.runLimit(active), ledger.runSchedule(paused)]).toEqual([0, 'gone', 'gone'])
  for (const again of [pause, resume, cancel])
    expect(refusalOf(() => again(active))).toMatchObject({ refusal: 'conflict', data: { reason: 'plan_ended' } })
})

test('changes no plan of another user', () => {
  const id = ledger.create(limitAt('590'))
  for (const change of [pause, resume, cancel])
    for (const planId of [id, 'none'])
      expect(refusalOf(() => change(planId, 'other'))).toEqual({ refusal: 'not_found', data: {} })
  expect(ledger.rowOf(id).status).toBe('active')
})

test('pauses only an active plan, and resumes only a paused one', () => {
  const id = ledger.create(limitAt('590'))
  expect(refusalOf(() => resume(id))).toMatchObject({ refusal: 'conflict', data: { reason: 'plan_active' } })
  pause(id)
  expect(refusalOf(() => pause(id))).toMatchObject({ refusal: 'conflict', data: { reason: 'plan_paused' } })
})

test('each change binds its key; only cancelling works while stopped', () => {
  const input = { ...of('plan'), key: 'key' }
  const common = { owner: 'trader', key: 'key', payload: { planId: 'plan' }, worksUnproven: true }
  const commands = [pausePlan(input), resumePlan({ swaps: ledger.swaps }, input), cancelPlan(input)]
  expect(commands.map(({ decide: _decide, preload: _preload, ...rest }) => rest)).toEqual([
    { ...common, kind: 'pause_plan' },
    { ...common, kind: 'resume_plan' },
    { ...common, kind: 'cancel_plan', worksStopped: true },
  ])
})
