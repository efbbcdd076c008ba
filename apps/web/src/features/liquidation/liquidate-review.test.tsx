import { type Locale, showLocale } from '@clearwell/ui/i18n/locale.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { factsIn, textOf } from '../../testing/facts.ts'
import { Review } from './liquidate-review.tsx'
import type { LiquidationOrder } from './liquidation.queries.ts'
import { allowedAmounts, type Part, termsOf } from './liquidation-terms.ts'
import { PartChoice } from './part-choice.tsx'

/** 100 USDT owed against 1 BNB at 120: over the limit, half at most. */
const ORDER: LiquidationOrder = {
  order_id: 'b1a2c3d4e5f60718',
  user_address: '0xbbbb000000000000000000000000000000000002',
  collateral_asset: 'BNB',
  collateral_amount: '1',
  lending_asset: 'USDT',
  lending_amount: '99',
  interest: '1',
  total_debt: '100',
  reason: 'ltv',
  min_amount: '10',
  max_amount: '50',
  estimated_profit: '4',
  price: '120',
  price_time: '2030-01-01T00:00:00.000Z',
  pays: '50',
  receives: '0.45',
  factor: '1.08',
  ltv: '0.8334',
  repayment_time: '2030-02-01T00:00:00.000Z',
  time: '2030-01-01T00:00:12.000Z',
}

async function review(locale: Locale, order: LiquidationOrder, part: Part): Promise<string> {
  showLocale(locale)
  const allowed = allowedAmounts(order)
  const component = () => (
    <Review
      order={order}
      choice={allowed && <PartChoice order={order} typed="" allowed={allowed} part={part} onChange={() => {}} />}
      terms={termsOf(order, part)}
      isSending={false}
      isRetrying={false}
      onConfirm={() => {}}
      onClose={() => {}}
    />
  )
  const router = createRouter({
    routeTree: createRootRoute({ component }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await router.load()
  return renderToString(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  ).replaceAll('<!-- -->', '')
}

test.each([
  [
    'en',
    [
      'You pay at most: 40 USDT',
      'You receive at least: 0.3564 BNB',
      'Estimated profit: +3.2 USDT',
      'Debt that stays: 60 USDT',
    ],
    'You pay about 40 USDT and clear 40 USDT of the debt. You receive about 0.36 BNB of the collateral, worth 43.2 USDT',
    'The rest stays with the order, and anyone may clear it.',
  ],
  [
    'zh-HK',
    ['最多支付: 40 USDT', '最少取得: 0.3564 BNB', '預計利潤: +3.2 USDT', '餘下欠款: 60 USDT'],
    '你會支付約 40 USDT，清還 40 USDT 的欠款，並取得約 0.36 BNB 的抵押品，按現價計值 43.2 USDT。',
    '其餘欠款留在訂單，任何人均可清算。',
  ],
] as const)(
  '%s: a part of a debt is reviewed with its figures',
  { tags: ['§2.74'] },
  async (locale, facts, words, rest) => {
    const html = await review(locale, ORDER, { amount: '40' })
    expect(factsIn(html)).toEqual(expect.arrayContaining([...facts]))
    expect(textOf(html)).toContain(words)
    expect(textOf(html)).toContain(rest)
  },
)

test('an amount beyond half is explained and cannot be confirmed', async () => {
  const text = textOf(await review('en', ORDER, { amount: '60' }))
  expect(text).toContain('One payment can clear at most 50 USDT of this debt.')
  expect(text).not.toContain('You pay at most')
})

test('a whole order that is short says so in words', async () => {
  const whole = { min_amount: '100', max_amount: '100' }
  const text = textOf(await review('en', { ...ORDER, ...whole, pays: '90', receives: '1', price: '91.8' }, 'all'))
  expect(text).toContain('This order can only be cleared whole')
  expect(text).toContain('The collateral doesn’t cover the debt')
  expect(text).toContain('You pay about 90 USDT and clear the whole debt.')
})
