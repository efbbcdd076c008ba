import { expect, test } from 'vitest'
import { planActivity } from './activity-plan.ts'

const DAY_MS = 86_400_000
const SIZE = { users: 40, days: 30, seed: 3, hasVisitor: true }

test('the same size makes the same plan, another seed another one', () => {
  expect(planActivity(SIZE)).toEqual(planActivity(SIZE))
  expect(planActivity({ ...SIZE, seed: 4 })).not.toEqual(planActivity(SIZE))
})

test('steps are in order, within the time, and begin with joining', () => {
  const steps = planActivity(SIZE)
  expect(steps.map(({ afterMs }) => afterMs)).toEqual(steps.map(({ afterMs }) => afterMs).sort((a, b) => a - b))
  for (let user = 0; user < SIZE.users; user++) {
    const own = steps.filter((step) => step.user === user)
    expect(own[0]?.kind).toBe('join')
    expect(own.filter(({ kind }) => kind === 'join')).toHaveLength(1)
    expect(own.at(-1)?.afterMs).toBeLessThan(SIZE.days * DAY_MS)
  }
})

test('the visitor uses everything from the first day on', () => {
  const own = planActivity(SIZE).filter(({ user }) => user === 0)
  expect(own[0]?.afterMs).toBeLessThan(DAY_MS)
  expect(new Set(own.map(({ kind }) => kind))).toEqual(
    new Set(['join', 'swap', 'transfer_in', 'transfer_out', 'set_alert', 'pledge', 'borrow', 'repay']),
  )
})

test('one user and one day still swap', () => {
  const steps = planActivity({ users: 1, days: 1, seed: 1, hasVisitor: false })
  expect(steps.filter(({ kind }) => kind === 'swap').length).toBeGreaterThan(0)
})
