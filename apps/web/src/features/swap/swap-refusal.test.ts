import { CODES } from '@clearwell/api/codes'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { BNB_POOL } from './swap.samples.ts'
import {
  isDeadlinePassed,
  OBSTACLE_TEXTS,
  obstacleOf,
  refusalNameText,
  refusalText,
  suspensionText,
} from './swap-refusal.ts'
import type { Quote } from './swap-terms.ts'

const refused = (name: keyof typeof CODES, data: unknown = null) =>
  new ApiError(CODES[name].code, CODES[name].msg.en, data)

beforeEach(() => showLocale('zh-HK'))

test.each([
  ['balance_not_enough', 'Balance not enough', '餘額不足'],
  ['rt_balance_not_enough', 'RT balance is insufficient', 'RT 餘額不足'],
  ['not_activated', 'Please activate your account before operation', '請先啟用帳戶再操作'],
  ['trading_suspended', 'Trading suspended', '交易已暫停'],
  ['price_moved', 'The price moved beyond your limit', '價格變動超出你設定的限度'],
  ['deadline_passed', 'The deadline has passed', '已過成交限期'],
  ['amount_out_of_range', 'The amount is too small, or exceeds the pool’s liquidity', '數量太少，或超出兌換池存量'],
  ['what_a_later_server_may_say', 'This swap was rejected', '這次閃兌未獲接納'],
  [undefined, 'This swap was rejected', '這次閃兌未獲接納'],
])('explains the refusal name %s in both languages', (name, english, chinese) => {
  expect(refusalNameText(name)).toBe(chinese)
  showLocale('en')
  expect(refusalNameText(name)).toBe(english)
})

test.each([
  ['operator', 'The operator has suspended this pool', '營運方已暫停此兌換池'],
  ['insolvent', 'the vault holds less than the ledger records', '保管庫持有的款項少於帳本紀錄'],
  ['some words of an operator', 'isn’t accepting swaps now', '暫不接受閃兌'],
  [null, 'isn’t accepting swaps now', '暫不接受閃兌'],
])('explains a suspension for %s in both languages', (reason, english, chinese) => {
  expect(suspensionText(reason)).toContain(chinese)
  showLocale('en')
  expect(suspensionText(reason)).toContain(english)
})

test("shows the server's message, and for a suspension its reason", () => {
  showLocale('en')
  expect(refusalText(refused('balance_not_enough'))).toBe('Balance not enough')
  const byOperator = refused('trading_suspended', { reason: 'operator' })
  expect(refusalText(byOperator)).toMatch(/^Trading suspended\. The operator/)
  const byPrice = refused('trading_suspended', { reason: 'price_deviation' })
  expect(refusalText(byPrice)).toMatch(/^This swap would move the price too far/)
  showLocale('zh-HK')
  expect(refusalText(byPrice)).toMatch(/^這次閃兌會令價格偏離市場太遠/)
})

test('distinguishes a passed deadline from a moved price', () => {
  expect(isDeadlinePassed(refused('price_moved', { reason: 'deadline_passed' }))).toBe(true)
  expect(isDeadlinePassed(refused('price_moved', { amount_out: '1' }))).toBe(false)
})

const E18 = 10n ** 18n
const quote: Quote = { amountIn: E18, amountOut: 600n * E18, amountOutAtMid: 620n * E18, priceImpactE18: 0n, fee: 1n }
const form = { pair: BNB_POOL, sold: 'BNB', exact: 'in', typed: E18, quote, balance: 5n * E18 } as const

test.each([
  ['an empty form', 'no_amount', { typed: undefined }],
  ['a typed zero', 'no_amount', { typed: 0n }],
  ['more than the balance', 'balance_not_enough', { balance: E18 - 1n }],
  ['a purchase above the balance', 'balance_not_enough', { exact: 'out', typed: 600n * E18, balance: 1n }],
  ['more RT than the balance', 'rt_balance_not_enough', { sold: 'RT', balance: 0n }],
  ['exactly the balance', undefined, { balance: E18 }],
  ['an unknown balance', undefined, { balance: undefined }],
  ['more to buy than the pool holds', 'exceeds_pool', { exact: 'out', quote: undefined }],
  ['an amount that buys nothing', 'too_small', { quote: undefined }],
  ['a suspended pool and an empty form', 'suspended', { pair: { ...BNB_POOL, suspended: true }, typed: undefined }],
] as const)('the obstacle with %s is %s', (_case, obstacle, change) => {
  expect(obstacleOf({ ...form, ...change })).toBe(obstacle)
})

test.each([
  ['no_amount', 'Please enter amount', '請輸入數量'],
  ['balance_not_enough', 'Balance not enough', '餘額不足'],
  ['rt_balance_not_enough', 'RT balance is insufficient', 'RT 餘額不足'],
  ['suspended', 'Trading suspended', '交易已暫停'],
  ['exceeds_pool', 'Not enough liquidity', '兌換池存量不足'],
  ['too_small', 'Amount too small', '數量太少'],
] as const)('explains the obstacle %s in both languages', (obstacle, english, chinese) => {
  expect(OBSTACLE_TEXTS[obstacle]()).toBe(chinese)
  showLocale('en')
  expect(OBSTACLE_TEXTS[obstacle]()).toBe(english)
})
