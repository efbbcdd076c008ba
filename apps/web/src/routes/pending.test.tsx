import { expect, test } from 'vitest'
import { BOX, BOXES, CLICKS, RULES, STATUS } from '../features/blind-box/blind-box.samples.ts'
import { ENTRIES, SUMMARY, TRANSACTIONS } from '../features/history/history.samples.ts'
import { ORDERS, receiptOf } from '../features/liquidation/liquidation.samples.ts'
import { SPOT } from '../features/market/market.samples.ts'
import { BNB } from '../features/market/pair.samples.ts'
import { OVERVIEW } from '../features/node/node.samples.ts'
import { SIX } from '../features/rank/rank.samples.ts'
import { CHILDREN, OVERVIEW as RICH } from '../features/rich/rich.samples.ts'
import { PARAMETERS, STRESS } from '../features/stake/book/book.samples.ts'
import { LOAN, LOANS, MARKET, PLEDGE, QUOTE, RATES, USDT_POOL } from '../features/stake/stake.samples.ts'
import { BNB_POOL } from '../features/swap/swap.samples.ts'
import { OVERVIEW as TEAM } from '../features/team/team.samples.ts'
import { BALANCES, ORDERS_IN, ORDERS_OUT } from '../features/wallet/wallet.samples.ts'
import { pageOf, renderWithSamples, responseTo } from '../testing/render-screen.tsx'
import { structureOf } from '../testing/samples.ts'

type Responses = NonNullable<NonNullable<Parameters<typeof renderWithSamples>[1]>['responses']>

const BOOK = [responseTo('stakeStress', {}, STRESS), responseTo('stakeParameters', {}, PARAMETERS)]
const OPEN_LOANS = [
  responseTo('stakeOrders', { status: 0, limit: 50 }, { items: [], next_cursor: null }),
  responseTo('stakeOrders', { status: 2, limit: 50 }, { items: [...LOANS], next_cursor: null }),
]

const MARKET_OF_BNB = [responseTo('pairs', {}, [BNB]), responseTo('spotTicker', { symbol: 'BNBUSDT' }, SPOT)]

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
  [
    '/node/blindBox',
    [
      responseTo('boxRules', {}, RULES),
      responseTo('boxStatus', {}, STATUS),
      responseTo('boxes', { limit: 5 }, { items: [BOX], next_cursor: null }),
      pageOf('boxHistory', {}, CLICKS),
    ],
  ],
  ['/rich', [responseTo('richOverview', {}, RICH), pageOf('richChildren', {}, CHILDREN)], 'more comes below'],
  ['/team', [responseTo('teamOverview', {}, TEAM)]],
  ['/referral', [responseTo('teamOverview', {}, TEAM)], 'more comes below'],
  ['/ranks', [responseTo('rankList', { board: 'volume', period: 'day', limit: 50 }, SIX)]],
  ['/stake/liquidate', [pageOf('liquidations', {}, ORDERS)], 'more comes below'],
  ['/stake/receipt?order=o1', [pageOf('liquidationReceipt', { order_id: 'o1' }, [receiptOf()])]],
  ['/swap/exchange', [responseTo('pairs', {}, [BNB_POOL])], 'more comes below'],
  ['/markets/BNBUSDT', MARKET_OF_BNB, 'more comes below'],
  ['/node', [responseTo('nodeOverview', {}, OVERVIEW)]],
  [
    '/node/claim',
    [
      responseTo('boxes', { status: 0, limit: 60 }, { items: BOXES, next_cursor: null }),
      responseTo('boxStatus', {}, STATUS),
    ],
    'more comes below',
  ],
  ['/node/confirmation', [responseTo('boxes', { status: 0, limit: 60 }, { items: BOXES, next_cursor: null })]],
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
  expect(pending.content).toContain('data-pending')
  const [before, after] = [structureOf(pending.content), structureOf(loaded.content)]
  expect(before).toEqual(end ? after.slice(0, before.length) : after)
  if (!end) expect(structureOf(pending.action)).toEqual(structureOf(loaded.action))
})

/** The content of a screen for a signed-in user, and the action at its foot. */
async function mainOf(path: string, responses: Responses): Promise<{ content: string; action: string }> {
  const html = await renderWithSamples(path, { user: {}, responses })
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  const [content = '', action = ''] = main.split(/(?=<div class="screen-action)/)
  return { content, action }
}
