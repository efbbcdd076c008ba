import { expect, test } from 'vitest'
import {
  allowedAmounts,
  missingOf,
  mostOf,
  type Part,
  partProblem,
  roundUp,
  termsAtDebt,
  termsOf,
} from './liquidation-terms.ts'

/** 100 USDT owed against 0.9 of an asset at 120, all of it allowed, in parts of at least 10. */
const ORDER = {
  total_debt: '100',
  min_amount: '10',
  max_amount: '100',
  pays: '100',
  receives: '0.9',
  price: '120',
}
/** Below the ratio from which all is allowed. */
const HALF = { ...ORDER, max_amount: '50', pays: '50', receives: '0.45' }
const WHOLE = { ...ORDER, min_amount: '100' }

test('the whole debt costs itself and brings the estimated collateral', () => {
  expect(termsOf(ORDER, 'all')).toEqual({
    amount: undefined,
    ended: '100',
    rest: '0',
    maxDebt: '100.1',
    minReceived: '0.891',
    paid: '100',
    paidAtMost: '100.1',
    received: '0.9',
    worth: '108',
    profit: '8',
    isShort: false,
  })
})

test('half of a debt costs half, and the rest stays', () => {
  const terms = { amount: '50', ended: '50', rest: '50', paid: '50', paidAtMost: '50', received: '0.45', profit: '4' }
  expect(termsOf(ORDER, 'half')).toMatchObject(terms)
  expect(termsOf(HALF, 'half')).toMatchObject({ ...terms, maxDebt: '100.1', minReceived: '0.4455' })
})

test('an order that is short costs less than the debt that ends', () => {
  const short = { ...ORDER, pays: '90', receives: '0.9', price: '102' }
  expect(termsOf(short, { amount: '20' })).toMatchObject({
    paid: '18',
    received: '0.18',
    profit: '0.36',
    isShort: true,
  })
})

test('a loss at this price is negative', () => {
  expect(termsOf({ ...ORDER, price: '100' }, 'all')?.profit).toBe('-10')
})

test.each([
  ['all', WHOLE, { isAllAllowed: true, isHalfAllowed: false, range: undefined }, 'all'],
  ['parts of', ORDER, { isAllAllowed: true, isHalfAllowed: true, range: { min: '10', max: '90' } }, 'all'],
  ['half of', HALF, { isAllAllowed: false, isHalfAllowed: true, range: { min: '10', max: '50' } }, 'half'],
])('offers %s an order', (_, order, allowed, most) => {
  expect(allowedAmounts(order)).toEqual(allowed)
  expect(mostOf(allowed)).toBe(most)
})

test.each([
  ['9.99', ORDER, 'under_min'],
  ['90.01', ORDER, 'rest'],
  ['100', ORDER, undefined],
  ['90', ORDER, undefined],
  ['50.01', HALF, 'over_max'],
  ['99', WHOLE, 'under_min'],
] as const)('%s of %j is %s', (amount, order, problem) => {
  const allowed = allowedAmounts(order)
  expect(allowed && partProblem(amount, order, allowed)).toBe(problem)
  expect(termsOf(order, { amount }) === undefined).toBe(problem !== undefined)
})

test('an order without a price has no terms', () => {
  const none: Part = 'all'
  expect(termsOf({ ...ORDER, price: null, pays: null, receives: null }, none)).toBeUndefined()
  expect(allowedAmounts({ ...ORDER, min_amount: null, max_amount: null })).toBeUndefined()
})

test('the limit follows a debt that the server names', () => {
  const [all, part] = [termsOf(ORDER, 'all'), termsOf(ORDER, 'half')]
  expect(all && termsAtDebt(all, '102')).toMatchObject({ maxDebt: '102.102', paidAtMost: '102.102' })
  expect(part && termsAtDebt(part, '102')).toMatchObject({ maxDebt: '102.102', paidAtMost: '50' })
})

test.each([
  ['100.1', '100.1'],
  ['100.1000001', '100.100001'],
  ['0.00012345678', '0.000123457'],
  ['5', '5'],
])('rounds %s up to %s', (amount, rounded) => {
  expect(roundUp(amount)).toBe(rounded)
})

test('says what a balance lacks', () => {
  expect(missingOf('10', '4.5')).toBe('5.5')
  expect(missingOf('10', '10')).toBeUndefined()
})
