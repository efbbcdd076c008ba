import { expect, test } from 'vitest'
import { missingOf, roundUp, termsAtDebt, termsOf } from './liquidation-terms.ts'

const ORDER = { total_debt: '100', estimated_profit: '8', pays: '100', receives: '0.9' }

test('a covered order costs its debt and brings debt plus profit', () => {
  expect(termsOf(ORDER)).toEqual({ maxDebt: '100.1', paid: '100', received: '0.9', worth: '108', isShort: false })
})

test('an order that is short costs less than its debt', () => {
  const terms = termsOf({ total_debt: '100', estimated_profit: '-0.5', pays: '92.5', receives: '1' })
  expect(terms).toEqual({ maxDebt: '93.425', paid: '92.5', received: '1', worth: '92', isShort: true })
})

test('an order without a fresh price has no terms', () => {
  expect(termsOf({ ...ORDER, estimated_profit: null, pays: null, receives: null })).toBeUndefined()
})

test('the limit follows a debt that the server names', () => {
  expect(termsAtDebt(ORDER, '102')).toMatchObject({ paid: '102', maxDebt: '102.102' })
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
