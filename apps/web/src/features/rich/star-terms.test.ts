import { expect, test } from 'vitest'
import { OVERVIEW, PROGRAM, REQUEST } from './rich.samples.ts'
import { depositRoom, fallingExample, nextStep, partOfAll, releaseOn, starFor } from './star-terms.ts'

test.each([
  [{ uid: null }, 'link'],
  [{}, 'deposit'],
  [{ missing: '0' }, 'request'],
  [{ missing: '0', request: REQUEST }, 'deposit'],
  [{ missing: '0', request: { ...REQUEST, status: 'Passed' } as const }, 'request'],
  [{ missing: '0', next: null }, 'none'],
  [{ missing: '0', step_down: { amount: '400', returns_at: '2030-01-08T00:00:00.000Z' } }, 'none'],
])('after %j the next step is %s', (change, step) => {
  expect(nextStep({ ...OVERVIEW, ...change })).toBe(step)
})

test.each([
  ['0', 0, '25600'],
  ['99.999999999999999999', 0, '25500.000000000000000001'],
  ['100', 1, '25500'],
  ['399', 2, '25201'],
  ['400', 3, '25200'],
  ['25600', 9, '0'],
])('%s RT is enough for star %i and leaves room for %s', (deposit, star, room) => {
  expect(starFor(deposit, PROGRAM.stars)).toBe(star)
  expect(depositRoom(deposit, PROGRAM.stars)).toBe(room)
})

test.each([
  // By hand: 0.1 RT for each unit of weight, as long as all weight is at most 149,925.
  [1, 2, '2', '0.1'],
  [9, 2, '2', '25.6'],
  [3, 2, '1200', '0.4'],
  // Above it all share 29,985,000 × 0.05 % = 14,992.5: 4 ÷ (300,000 − 2 + 4), rounded down for each unit.
  [3, 2, '300000', '0.199898667342217716'],
  // Without a star: 1 ÷ (299,849 + 1)
  [1, 0, '299849', '0.05'],
  [1, 0, '0', '0.1'],
])('star %i after star %i of weight %s receives %s', (star, own, weight, paid) => {
  expect(releaseOn(star, { ...PROGRAM, next_weight: weight }, own)).toBe(paid)
})

test.each([
  // By hand: 4 ÷ (1,200 − 2 + 4), and alone all of it.
  [3, 2, '1200', '0.00332778'],
  [1, 0, '0', '1'],
])('star %i after star %i of weight %s is %s of all', (star, own, weight, part) => {
  expect(partOfAll(star, { next_weight: weight }, own)).toBe(part)
})

test('the example names the first power of ten that pays less', () => {
  // By hand: 14,992.5 ÷ (1,200,000 + 1), of the bound of 0.1. At 100 times, 120,000 are still below the bound.
  expect(fallingExample(PROGRAM, 0)).toEqual({ times: 1_000n, now: '0.1', later: '0.012493739588550342' })
  expect(fallingExample({ ...PROGRAM, next_weight: '0' }, 0)).toBeUndefined()
})
