import { CODES, type CodeName } from '@clearwell/api/codes'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { mostOf, refusedPledgeText, refusedText } from './stake-refusal.ts'

const errorOf = (name: CodeName, data: unknown) => new ApiError(CODES[name].code, 'From the server', data)

test.each([
  ['amount_out_of_range', { reason: 'least_rest', max: '490' }, 'Repay all, or at most 490 USDT.'],
  ['amount_out_of_range', { reason: 'least_rest', max: '490', min: '10' }, 'Repay all, or leave at least 10 USDT.'],
  ['amount_out_of_range', { reason: 'least_rest', max: '0' }, 'This debt is too small to repay in parts.'],
  ['amount_out_of_range', { reason: 'order_cap', max: '1000' }, 'One loan can take at most 1,000 USDT'],
  ['amount_out_of_range', { reason: 'account_cap', max: '50' }, 'at most 50 USDT more from this pool'],
  ['amount_out_of_range', { reason: 'account_cap', max: '0' }, 'Your loans already take the most'],
  ['amount_out_of_range', { min: '10' }, 'From the server. The minimum is 10 USDT.'],
  ['too_many_open', { max: 200 }, 'You have 200 open loans, the most for one account.'],
  ['price_out_of_date', { reason: 'apart' }, 'The price sources differ. You can’t borrow'],
  ['price_out_of_date', { reason: 'one_source' }, 'Only one price source. You can’t borrow'],
  ['price_out_of_date', { reason: 'stale' }, 'The price is out of date. You can’t borrow'],
  ['price_out_of_date', { reason: 'unknown' }, 'No price now. You can’t borrow'],
  ['account_is_leaving', null, 'Cancel the exit to do this.'],
  ['not_available', { reason: 'frozen' }, 'From the server'],
  ['not_available', {}, 'Contact the operator.'],
  ['conflict', { reason: 'loan_liquidated' }, 'From the server'],
  ['price_moved', { rate: '0.05' }, 'The rate is now 5% a year.'],
] as const)('%s with %j says what to do', (name, data, words) => {
  showLocale('en')
  expect(refusedText(errorOf(name, data), 'USDT')).toContain(words)
})

test.each([
  ['amount_out_of_range', { reason: 'least_rest', max: '490', min: '10' }, '請全數還清，或餘下最少 10 USDT。'],
  ['too_many_open', { max: 200 }, '你已有 200 筆未還清的借貸'],
  ['price_out_of_date', { reason: 'one_source' }, '只有一個價格來源'],
] as const)('%s with %j says so in Chinese', (name, data, words) => {
  showLocale('zh-HK')
  expect(refusedText(errorOf(name, data), 'USDT')).toContain(words)
})

test('a pledge waits only for a price that was never known', () => {
  showLocale('en')
  expect(refusedPledgeText(errorOf('price_out_of_date', { reason: 'unknown' }), 'USDT')).toContain(
    'Pledging and withdrawing wait',
  )
  expect(refusedPledgeText(errorOf('trading_suspended', { reason: 'pool_lost' }), 'USDT')).toContain(
    'takes no new ones',
  )
})

test('only an amount is offered as the most', () => {
  expect(mostOf(errorOf('amount_out_of_range', { max: '490' }))).toBe('490')
  expect(mostOf(errorOf('too_many_open', { max: 200 }))).toBeUndefined()
})
