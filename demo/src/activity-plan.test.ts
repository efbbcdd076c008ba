import { expect, test } from 'vitest'
import { planActivity } from './activity-plan.ts'
import { planInvitations } from './invitation-plan.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const SIZE = { users: 40, days: 30, seed: 3, hasVisitor: true, midnightMs: DAY_MS / 3 }

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

test('wallets pay in three hours of a day', () => {
  const payments = planActivity(SIZE).filter(({ kind }) => ['join', 'transfer_in', 'transfer_out'].includes(kind))
  const hours = payments.map(({ afterMs }) => Math.floor(afterMs / HOUR_MS) % 24)
  expect(new Set(hours)).toEqual(new Set([0, 8, 16]))
})

test('the visitor uses everything from the first day on', () => {
  const own = planActivity(SIZE).filter(({ user }) => user === 0)
  expect(own[0]?.afterMs).toBeLessThan(DAY_MS)
  expect(new Set(own.map(({ kind }) => kind))).toEqual(
    new Set([
      ...['join', 'swap', 'transfer_in', 'transfer_out', 'set_alert', 'pledge', 'borrow', 'repay'],
      ...['click', 'claim', 'request_star', 'approve_stars', 'collect_rt'],
    ]),
  )
})

test('users click at most once a day, and the visitor not today', () => {
  const dayOf = (afterMs: number) => Math.floor((afterMs - SIZE.midnightMs) / DAY_MS)
  const clicks = planActivity(SIZE).filter(({ kind }) => kind === 'click')
  expect(new Set(clicks.map(({ user, afterMs }) => `${user} ${dayOf(afterMs)}`)).size).toBe(clicks.length)
  const today = dayOf(SIZE.days * DAY_MS)
  expect(clicks.filter(({ user, afterMs }) => user === 0 && dayOf(afterMs) === today)).toEqual([])
})

test('inviters come before their leads, and one reaches level 3', () => {
  const inviters = planInvitations(500, 60)
  for (const [user, inviter] of inviters.entries()) expect(inviter ?? -1).toBeLessThan(user)
  const levels = inviters.map(() => 0)
  for (const level of [1, 2, 3, 4])
    for (const user of inviters.keys()) {
      const leads = inviters.filter((inviter, lead) => inviter === user && (levels[lead] ?? 0) >= level - 1)
      if (leads.length >= 5) levels[user] = level
    }
  const reached = [1, 2, 3, 4].map((level) => levels.filter((each) => each >= level).length)
  expect(levels[0]).toBe(3)
  expect(reached[0]).toBeGreaterThan(40)
  expect(reached.slice(1)).toEqual([6, 1, 0])
})

test('one user and one day still swap', () => {
  const steps = planActivity({ users: 1, days: 1, seed: 1, hasVisitor: false, midnightMs: 1 })
  expect(steps.filter(({ kind }) => kind === 'swap').length).toBeGreaterThan(0)
})
