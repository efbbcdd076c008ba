import type { CodeName } from '@clearwell/api/codes'
import { CODES } from '@clearwell/api/codes'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { explainRefusal } from './liquidation-refusal.ts'

const SENT = { lending: 'USDT', collateral: 'BNB', paid: '100', maxDebt: '100.1', minReceived: '0.891' } as const

const explain = (name: CodeName, data: unknown = null) => {
  showLocale('en')
  return explainRefusal(new ApiError(CODES[name].code, 'From the server', data), SENT)
}

test.each([
  ['conflict', { reason: 'already_cleared' }, 'Someone else got there first', 'others'],
  ['conflict', { reason: 'not_to_be_cleared' }, 'This order recovered', 'others'],
  ['not_found', null, 'This order has left the market', 'others'],
  ['price_out_of_date', { reason: 'stale' }, 'No price', 'again'],
  ['price_out_of_date', { reason: 'one_source' }, 'No price', 'again'],
  ['price_out_of_date', { reason: 'unknown' }, 'No price', 'again'],
  ['price_out_of_date', { reason: 'apart' }, 'No price', 'again'],
  ['balance_not_enough', null, 'Balance not enough', 'fund'],
  ['trading_suspended', null, 'From the server', 'again'],
  ['not_activated', null, 'From the server', 'activate'],
  ['account_is_leaving', null, 'From the server', 'none'],
  ['not_available', { reason: 'frozen' }, 'From the server', 'none'],
  ['price_moved', { received: '0.88' }, 'You would receive less now', 'again'],
  ['invalid_input', null, 'The order wasn’t liquidated', 'again'],
] as const)('%s %j says that nothing was paid', (name, data, title, next) => {
  const refused = explain(name, data)
  expect(refused).toMatchObject({ title, next })
  expect(refused.text).toContain('You paid nothing.')
})

test.each([
  ['half', 'One payment can clear at most 50 USDT of the debt.'],
  ['least_part', 'Clear at least 10 USDT.'],
  ['least_rest', 'Clear all of it, or leave at least 10 USDT.'],
  ['whole_only', 'This order can only be cleared whole, because its debt is small.'],
])('an amount that is refused for %s says what is allowed', (reason, words) => {
  const { title, text, next } = explain('amount_out_of_range', { reason, min: '10', max: '50' })
  expect(title).toBe('This amount can’t be cleared now')
  expect(text).toBe(`${words} You paid nothing.`)
  expect(next).toBe('again')
})

test('a debt over the limit can be accepted at its new amount', () => {
  expect(explain('price_moved', { total_debt: '100.2' })).toEqual({
    title: 'The debt is higher now',
    text: 'The debt is now 100.2 USDT, above your limit of 100.1 USDT. You paid nothing.',
    next: 'accept',
    debt: '100.2',
  })
})

test('says that the price sources disagree', () => {
  expect(explain('price_out_of_date', { reason: 'apart' }).text).toBe(
    'The price sources disagree or are missing, so nothing was liquidated. Try again later. You paid nothing.',
  )
})
