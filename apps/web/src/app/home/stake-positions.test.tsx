import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { LOAN, PLEDGE, USDT_POOL } from '../../features/stake/stake.samples.ts'
import { renderPart } from '../../testing/render-part.tsx'
import { DangerCard } from './danger-card.tsx'
import { StakePositions } from './stake-positions.tsx'

afterEach(() => queryClient.clear())

async function textWith(loans: (typeof LOAN)[], pledges = [PLEDGE], Part = StakePositions): Promise<string> {
  showLocale('en')
  queryClient.setQueryData(['stakeMarket', {}], [USDT_POOL])
  queryClient.setQueryData(['pledgeInfo', {}], pledges)
  for (const status of [0, 2] as const) {
    const items = loans.filter((loan) => loan.status === status)
    queryClient.setQueryData(['stakeOrders', { status, limit: 50 }], { items, next_cursor: null })
  }
  return (await renderPart(Part)).replaceAll(/<[^>]*>/g, '')
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

const FAR_AWAY = new Date(Date.now() + 30 * 86_400_000).toISOString()
const SAFE = { ...LOAN, ltv: '0.5', repayment_time: FAR_AWAY, estimated_liquidation_time: FAR_AWAY }
const OVERDUE = { ...SAFE, order_id: 'overdue', status: 0 as const, total_debt: '60.5' }
const OVER_LIMIT = { ...SAFE, order_id: 'over', status: 0 as const, ltv: '0.9', total_debt: '70.5' }

test.each([
  ['a safe loan', [SAFE], ''],
  [
    'an overdue loan',
    [SAFE, OVERDUE],
    '1 loan can be liquidated now60.5 USDT · The repayment time has passed. Repay in full to keep your collateral.Repay',
  ],
  [
    'two loans to clear',
    [OVERDUE, OVER_LIMIT],
    '2 loans can be liquidated nowMost urgent: 70.5 USDT · The LTV is over the limit. Repay or add collateral.RepaySee all loans',
  ],
  [
    'a loan at the warning',
    [{ ...SAFE, ltv: '0.75' }],
    '1 loan is near a limit390.5 USDT · Liquidation at 1 BNB = 470.48 USDT, 9.63% awayRepay',
  ],
] as const)('the card of dangers with %s says what to do', async (_case, loans, text) => {
  expect(await textWith([...loans], [], DangerCard)).toBe(text)
})
