import { afterEach, expect, test } from 'vitest'
import { overwriteGetLocale } from '../../generated/paraglide/runtime.js'
import { OBSTACLE_TEXTS, obstacleOf } from './swap-obstacle.ts'
import type { Quote } from './swap-terms.ts'
import { BNB_POOL } from './testing/pool.ts'

const E18 = 10n ** 18n
const quote: Quote = { amountIn: E18, amountOut: 600n * E18, amountOutAtMid: 620n * E18, priceImpactE18: 0n, fee: 1n }
const form = { pair: BNB_POOL, sold: 'BNB', exact: 'in', typed: E18, quote, balance: 5n * E18 } as const

afterEach(() => overwriteGetLocale(() => 'zh-HK'))

test.each([
  ['nothing typed', 'no_amount', { typed: undefined }],
  ['zero typed', 'no_amount', { typed: 0n }],
  ['more than there is', 'balance_not_enough', { balance: E18 - 1n }],
  ['a purchase that costs more than there is', 'balance_not_enough', { exact: 'out', typed: 600n * E18, balance: 1n }],
  ['more RT than there is', 'rt_balance_not_enough', { sold: 'RT', balance: 0n }],
  ['exactly what there is', undefined, { balance: E18 }],
  ['a balance that is not known yet', undefined, { balance: undefined }],
  ['more to buy than the pool holds', 'exceeds_pool', { exact: 'out', quote: undefined }],
  ['an amount that buys nothing', 'too_small', { quote: undefined }],
  ['a suspended pool, before all else', 'suspended', { pair: { ...BNB_POOL, suspended: true }, typed: undefined }],
] as const)('with %s the obstacle is %s', (_case, obstacle, change) => {
  expect(obstacleOf({ ...form, ...change })).toBe(obstacle)
})

test.each([
  ['no_amount', 'Please enter amount', '請輸入數量'],
  ['balance_not_enough', 'Balance not enough', '餘額不足'],
  ['rt_balance_not_enough', 'RT balance is insufficient', 'RT 餘額不足'],
  ['suspended', 'Trading suspended', '交易已暫停'],
  ['exceeds_pool', 'The pool does not hold that much', '兌換池存量不足'],
  ['too_small', 'The amount is too small to buy anything', '數量太少，不足以換取任何資產'],
] as const)('%s is said in both languages', (obstacle, english, chinese) => {
  expect(OBSTACLE_TEXTS[obstacle]()).toBe(chinese)
  overwriteGetLocale(() => 'en')
  expect(OBSTACLE_TEXTS[obstacle]()).toBe(english)
})
