import { expect, test } from 'vitest'
import { depositRoom, nextStep, starFor } from './star-terms.ts'
import { OVERVIEW, PROGRAM, REQUEST } from './testing/hub.ts'

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
