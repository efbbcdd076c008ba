import { expect, test } from 'vitest'
import { describeEnd, owedNow, partOf, paymentOf } from './end-state.ts'

const DAY_S = 86_400
const OPEN = { movedAt: 0, endingAt: 0, endedAt: 0, base: 0 }
const never = new Map([
  ['0xaa', 0],
  ['0xbb', 0],
])

test('begins after 30 days without a root or without money', () => {
  expect(describeEnd(OPEN, 1_000, never)).toEqual({ step: 'open', startAt: 1_000 + 30 * DAY_S, token: '0xaa' })
  const short = new Map([...never, ['0xbb', 400]])
  expect(describeEnd(OPEN, 1_000, short)).toEqual({ step: 'open', startAt: 400 + 30 * DAY_S, token: '0xbb' })
})

test('is complete a day later at the earliest', () => {
  expect(describeEnd({ ...OPEN, endingAt: 5_000 }, 1_000, never)).toEqual({ step: 'ending', endAt: 5_000 + DAY_S })
  const ended = { ...OPEN, endingAt: 5_000, endedAt: 5_000 + DAY_S, base: 7 }
  expect(describeEnd(ended, 1_000, never)).toEqual({ step: 'ended', base: 7 })
})

test('does not come after the money has moved', () => {
  expect(describeEnd({ ...OPEN, movedAt: 5_000 }, 1_000, never)).toEqual({ step: 'moved' })
})

test('pays the fraction rounded down, and all where enough is there', () => {
  expect([paymentOf(10n, { held: 2n, owed: 3n }), partOf({ held: 2n, owed: 3n })]).toEqual([6n, 6_666])
  expect([paymentOf(10n, { held: 3n, owed: 3n }), partOf({ held: 3n, owed: 3n })]).toEqual([10n, 10_000])
  expect([paymentOf(10n, { held: 9n, owed: 3n }), partOf({ held: 0n, owed: 3n })]).toEqual([10n, 0])
})

test('owes what the root says with the counters since', () => {
  const root = { owed: 100n, payouts: 7n, depositedSeen: 40n, paidSeen: 10n, exitedSeen: 5n }
  expect(owedNow(root, { deposited: 40n, paid: 10n, exited: 5n })).toBe(107n)
  expect(owedNow(root, { deposited: 43n, paid: 21n, exited: 25n })).toBe(107n + 3n - 11n - 20n)
})
