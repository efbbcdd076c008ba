import { expect, test } from 'vitest'
import { ENTRIES, SUMMARY, TRANSACTIONS } from '../features/history/history.samples.ts'
import { PARAMETERS, STRESS } from '../features/stake/book/book.samples.ts'
import { LOAN, LOANS, MARKET, PLEDGE, QUOTE, RATES, USDT_POOL } from '../features/stake/stake.samples.ts'
import { BALANCES, ORDERS_IN, ORDERS_OUT } from '../features/wallet/wallet.samples.ts'
import { pageOf, renderWithSamples, responseTo } from '../testing/render-screen.tsx'
import { structureOf } from '../testing/samples.ts'

type Responses = NonNullable<NonNullable<Parameters<typeof renderWithSamples>[1]>['responses']>

const BOOK = [responseTo('stakeStress', {}, STRESS), responseTo('stakeParameters', {}, PARAMETERS)]
const OPEN_LOANS = [
  responseTo('stakeOrders', { status: 0, limit: 50 }, { items: [], next_cursor: null }),
  responseTo('stakeOrders', { status: 2, limit: 50 }, { items: [...LOANS], next_cursor: null }),
]

/** Each screen with the samples that it shows while it loads, as responses. */
const SCREENS: readonly [path: string, responses: Responses, end?: 'more comes below'][] = [
  [
    '/stake',
    [responseTo('stakeMarket', {}, [USDT_POOL]), responseTo('pledgeInfo', {}, [PLEDGE]), ...OPEN_LOANS, ...BOOK],
  ],
  ['/stake/lend', [responseTo('stakeMarket', {}, [...MARKET]), responseTo('stakeRates', { asset: 'USDT' }, RATES)]],
  ['/stake/lend/orders', [responseTo('stakeMarket', {}, [USDT_POOL]), pageOf('stakeOrders', {}, LOANS)]],
  [`/stake/lend/add?order=${LOAN.order_id}`, [responseTo('stakeMarket', {}, [USDT_POOL]), ...OPEN_LOANS]],
  ['/stake/lend/add', [responseTo('stakeMarket', {}, [USDT_POOL]), ...OPEN_LOANS]],
  [
    `/stake/lend/result?order=${LOAN.order_id}`,
    [responseTo('stakeOrders', { limit: 50 }, { items: [LOAN], next_cursor: null })],
  ],
  [
    '/stake/lend/confirm?borrow=USDT&amount="390"&collateral=BNB&collateralAmount="1"&term=30',
    [
      responseTo(
        'loanQuote',
        {
          collateral_asset: 'BNB',
          collateral_amount: '1',
          borrow_asset: 'USDT',
          borrow_amount: '390',
          term_days: 30,
        },
        QUOTE,
      ),
    ],
  ],
  ['/stake/pledge', [responseTo('stakeMarket', {}, [...MARKET]), responseTo('pledgeInfo', {}, [PLEDGE])]],
  ['/stake/pledge/confirm?asset=USDT&amount="100"', [responseTo('stakeMarket', {}, [USDT_POOL])]],
  ['/wallet', [responseTo('balances', {}, BALANCES)]],
  ['/wallet/asset?asset=BNB', [responseTo('balances', {}, BALANCES), pageOf('logs', { asset: 'BNB' }, ENTRIES)]],
  ['/wallet/summary', [responseTo('summary', { period: 'week' }, SUMMARY)]],
  ['/wallet/logs', [pageOf('logs', {}, ENTRIES)]],
  ['/wallet/activity', [pageOf('logs', {}, ENTRIES)], 'more comes below'],
  ['/transaction', [pageOf('transactions', {}, TRANSACTIONS)]],
  ['/wallet/asset', [responseTo('balances', {}, BALANCES)]],
  ['/wallet/buyOrder', [pageOf('buyOrders', {}, ORDERS_IN)]],
  ['/wallet/sellOrder', [pageOf('sellOrders', {}, ORDERS_OUT)]],
  ['/stake/pledge/confirm?way=out&asset=USDT&amount="100"', [responseTo('pledgeInfo', {}, [PLEDGE])]],
]

test.each(SCREENS)('%s loads in the structure of the loaded screen', async (path, responses, end) => {
  const [pending, loaded] = [await mainOf(path, []), await mainOf(path, responses)]
  expect(pending).toContain('data-pending')
  const [before, after] = [structureOf(pending), structureOf(loaded)]
  expect(before).toEqual(end ? after.slice(0, before.length) : after)
})

/** The content of a screen for a signed-in user. */
async function mainOf(path: string, responses: Responses): Promise<string> {
  const html = await renderWithSamples(path, { user: {}, responses })
  return html.slice(html.indexOf('<main'), html.indexOf('</main>'))
}
