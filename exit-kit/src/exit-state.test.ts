import { expect, test } from 'vitest'
import { amountUnder, describeExit, frozenAfter } from './exit-state.ts'

const DAY_S = 86_400
const ASKED = 1_000_000

test.each([
  ['open', 0],
  ['open', 6 * DAY_S],
  ['fixed', 6 * DAY_S + 1],
  ['fixed', 7 * DAY_S - 1],
  ['ready', 7 * DAY_S],
])('an exit is %s after %i seconds', (step, seconds) => {
  expect(describeExit({ exitAt: ASKED }, ASKED + seconds)).toEqual({
    ...{ step, requestedAt: ASKED, baseAt: ASKED + 6 * DAY_S, readyAt: ASKED + 7 * DAY_S },
  })
})

test('no exit is open at zero', () => {
  expect(describeExit({ exitAt: 0 }, ASKED)).toEqual({ step: 'none' })
})

test.each([
  ['nothing has happened since', { deposited: 50n, paid: 10n }, 40n],
  ['a deposit came later', { deposited: 55n, paid: 10n }, 45n],
  ['a part was paid', { deposited: 50n, paid: 45n }, 5n],
  ['all was paid', { deposited: 50n, paid: 51n }, 0n],
])('amount where %s', (_, balance, amount) => {
  expect(amountUnder({ free: '40', deposited_seen: '50', paid_seen: '10' }, balance)).toBe(amount)
})

test.each([
  ['without a pause', 0, ASKED, undefined],
  ['in a pause', ASKED, ASKED + 7 * DAY_S - 1, ASKED - DAY_S],
  ['seven days after it began', ASKED, ASKED + 7 * DAY_S, undefined],
])('roots are frozen %s', (_, pausedAt, now, after) => {
  expect(frozenAfter(pausedAt, now)).toBe(after)
})
