import type { CodeName } from '@clearwell/api/codes'
import { CODES } from '@clearwell/api/codes'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { showLocale } from '../../i18n/locale.ts'
import { explainRefusal } from './liquidation-refusal.ts'

const explain = (name: CodeName, data: unknown = null) => {
  showLocale('en')
  const error = new ApiError(CODES[name].code, 'From the server', data)
  return explainRefusal(error, { lending: 'USDT', debt: '100', maxDebt: '100.1' })
}

test.each([
  ['conflict', { reason: 'already_cleared' }, 'Someone was faster', 'others'],
  ['conflict', { reason: 'not_to_be_cleared' }, 'This order recovered', 'others'],
  ['not_found', null, 'This order has left the market', 'others'],
  ['price_out_of_date', null, 'Stale price', 'again'],
  ['balance_not_enough', null, 'Balance not enough', 'fund'],
  ['trading_suspended', null, 'From the server', 'again'],
  ['not_activated', null, 'From the server', 'activate'],
  ['invalid_input', null, 'The order was not liquidated', 'again'],
] as const)('%s %j says that nothing was paid', (name, data, title, next) => {
  const refused = explain(name, data)
  expect(refused).toMatchObject({ title, next })
  expect(refused.text).toContain('You paid nothing.')
})

test('a debt over the limit can be accepted at its new amount', () => {
  expect(explain('price_moved', { total_debt: '100.2' })).toEqual({
    title: 'The debt is higher now',
    text: 'The debt is now 100.2 USDT, above your limit of 100.1 USDT. You paid nothing.',
    next: 'accept',
    debt: '100.2',
  })
})
