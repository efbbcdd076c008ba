import { CODES } from '@clearwell/api/codes'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { ApiError, NoResponseError } from '../../api/api-error.ts'
import { transferOutRefusalText } from './confirm-transfer-out.tsx'

const refused = (name: keyof typeof CODES, data: unknown, locale: 'en' | 'zh-HK' = 'en') =>
  new ApiError(CODES[name].code, CODES[name].msg[locale], data)

afterEach(() => showLocale('zh-HK'))

test.each([
  ['balance_not_enough', null, 'Balance not enough. Nothing was locked'],
  [
    'amount_out_of_range',
    { min: '10', max: '2000' },
    'The minimum transfer out is 10 USDT. The maximum transfer out is 2,000 USDT.',
  ],
  ['amount_out_of_range', { max: '5' }, 'The maximum transfer out is 5 USDT. Nothing was locked'],
  ['trading_suspended', { reason: 'insolvent' }, 'the vault holds less than the ledger records'],
  [
    'trading_suspended',
    { reason: 'withdrawals_paused' },
    'paused. Nothing was locked. Your funds did not move. Try again later.',
  ],
  ['trading_suspended', { reason: 'signer_not_accepted' }, 'isn’t accepting Clearwell’s signature'],
  ['trading_suspended', { reason: 'daily_limit_reached' }, 'did not move. Try again in a few hours.'],
  [
    'trading_suspended',
    { reason: 'daily_limit_reached', available_today: '2.5', limited_by: 'account', more_at: '2026-11-22T03:04:05Z' },
    'You have reached your 24-hour transfer-out limit. 2.5 USDT is left today. Nothing was locked. Your funds did not move. More is available by',
  ],
  [
    'amount_out_of_range',
    { min: '10', max: '120', reason: 'daily_limit', available_today: '120', limited_by: 'all_accounts', more_at: null },
    'You can transfer out 120 USDT today. Nothing was locked. Your funds did not move. Try again in a few hours.',
  ],
  ['trading_suspended', null, 'Trading suspended. Nothing was locked'],
  ['not_ready', null, 'We can’t confirm yet whether the amount was locked. Try again'],
] as const)('%s with %o says whether anything was locked, and what to do', (name, data, words) => {
  showLocale('en')
  expect(transferOutRefusalText(refused(name, data), 'USDT')).toContain(words)
})

test('claims nothing about the funds without a response', () => {
  showLocale('en')
  const text = transferOutRefusalText(new NoResponseError('offline'), 'USDT')
  expect(text).toContain('can’t confirm yet')
  expect(text).not.toContain('Nothing was locked')
})

test('ends each Chinese sentence with its own full stop', () => {
  expect(transferOutRefusalText(refused('balance_not_enough', null, 'zh-HK'), 'USDT')).toMatch(/^餘額不足。沒有凍結/)
})
