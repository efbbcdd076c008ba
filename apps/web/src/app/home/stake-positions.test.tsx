import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { LOAN, PLEDGE, USDT_POOL } from '../../features/stake/stake.samples.ts'
import { StakePositions } from './stake-positions.tsx'

afterEach(() => queryClient.clear())

async function textWith(loans: (typeof LOAN)[], pledges = [PLEDGE]): Promise<string> {
  showLocale('en')
  queryClient.setQueryData(['stakeMarket', {}], [USDT_POOL])
  queryClient.setQueryData(['pledgeInfo', {}], pledges)
  for (const status of [0, 2] as const) {
    const items = loans.filter((loan) => loan.status === status)
    queryClient.setQueryData(['stakeOrders', { status, limit: 50 }], { items, next_cursor: null })
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: StakePositions }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await router.load()
  const html = renderToString(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return html.replaceAll(/<[^>]*>/g, '')
}

test('home shows pledges and loans with health and nearest limit', async () => {
  const farAway = new Date(Date.now() + 30 * 86_400_000).toISOString()
  const due = { ...LOAN, order_id: 'due', status: 0 as const, ltv: '0.9' }
  const normal = { ...LOAN, ltv: '0.664', repayment_time: farAway, estimated_liquidation_time: farAway }
  const text = await textWith([normal, due])
  expect(text).toContain('Can be liquidated now')
  expect(text).toContain('LTV 66.4%Liquidation at 1 BNB = 470.48 USDT, 20% away')
  expect(text.indexOf('Can be liquidated now')).toBeLessThan(text.indexOf('20% away'))
  expect(text).toContain('USDT pledged321.5 USDT')
})

test('home says that a loan is over its limit at one price', async () => {
  const text = await textWith([{ ...LOAN, ltv: '0.84' }])
  expect(text).toContain('At riskLTV 84%Over the limit at one of two prices')
})

test('home shows nothing to a user without positions', async () => {
  expect(await textWith([], [])).toBe('')
})
