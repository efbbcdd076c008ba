import { hiddenAmountsStore } from '@clearwell/ui/browser/hidden-amounts.ts'
import { afterEach, expect, test } from 'vitest'
import { CHILD, candlesOf, OVERVIEW, PROGRAM } from '../features/rich/rich.samples.ts'
import { LOAN, PLEDGE, USDT_POOL } from '../features/stake/stake.samples.ts'
import { BNB_POOL, ORDERS } from '../features/swap/swap.samples.ts'
import { BALANCES } from '../features/wallet/wallet.samples.ts'
import { textOf } from '../testing/facts.ts'
import { pageOf, renderScreen, responseTo } from '../testing/render-screen.tsx'

afterEach(() => hiddenAmountsStore.set(false))

const orders = (status: 0 | 2, items: (typeof LOAN)[]) =>
  responseTo('stakeOrders', { status, limit: 50 }, { items, next_cursor: null })

const RESPONSES = [
  responseTo('balances', {}, BALANCES),
  responseTo('stakeMarket', {}, [USDT_POOL]),
  responseTo('pledgeInfo', {}, [PLEDGE]),
  orders(0, []),
  orders(2, [LOAN]),
  pageOf('stakeOrders', {}, [LOAN]),
  responseTo('pairs', {}, [BNB_POOL]),
  pageOf('orders', {}, ORDERS),
  responseTo('richProgram', {}, PROGRAM),
  responseTo('richOverview', {}, OVERVIEW),
  responseTo('richEarnings', { interval: '1d', limit: 30 }, candlesOf(['12', '0', '25.5'])),
  pageOf('richChildren', {}, [CHILD]),
  pageOf('richRequests', {}, []),
]

test.each([
  ['/en/stake', ['321.5', '390.5', '+0.25', '1 BNB'], ['5,000 USDT']],
  ['/en/stake/lend/orders', ['390.5', '390 USDT', '0.5 USDT', '1 BNB LTV'], ['LTV']],
  ['/en/swap/exchange', ['1,234.5', '618.45'], ['My swaps']],
  ['/en/wallet', ['1,234.5'], ['Total value']],
  ['/en/rich', ['250', '37.5', '0.2 RT', '1,000 RT', '150 RT', '410'], ['Star 2']],
])('%s hides the amounts of the user, and keeps public ones', async (path, own, kept) => {
  const textWith = async (hidden: boolean) => {
    hiddenAmountsStore.set(hidden)
    return textOf(await renderScreen(path, { user: {}, responses: RESPONSES }))
  }
  const [shown, hidden] = [await textWith(false), await textWith(true)]
  expect(own.filter((amount) => hidden.includes(amount))).toEqual([])
  expect(own.filter((amount) => shown.includes(amount)).length).toBeGreaterThan(0)
  for (const text of kept) expect(hidden).toContain(text)
})
