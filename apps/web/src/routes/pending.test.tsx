import { expect, test } from 'vitest'
import { PARAMETERS, STRESS } from '../features/stake/book/book.samples.ts'
import { LOAN, LOANS, MARKET, PLEDGE, QUOTE, RATES, USDT_POOL } from '../features/stake/stake.samples.ts'
import { pageOf, renderWithSamples, responseTo } from '../testing/render-screen.tsx'
import { structureOf } from '../testing/samples.ts'

type Responses = NonNullable<NonNullable<Parameters<typeof renderWithSamples>[1]>['responses']>

const BOOK = [responseTo('stakeStress', {}, STRESS), responseTo('stakeParameters', {}, PARAMETERS)]
const OPEN_LOANS = [
  responseTo('stakeOrders', { status: 0, limit: 50 }, { items: [], next_cursor: null }),
  responseTo('stakeOrders', { status: 2, limit: 50 }, { items: [...LOANS], next_cursor: null }),
]

/** Each screen with the samples that it shows while it loads, as responses. */
const SCREENS: readonly [path: string, Responses][] = [
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
  ['/stake/pledge/confirm?way=out&asset=USDT&amount="100"', [responseTo('pledgeInfo', {}, [PLEDGE])]],
]

test.each(SCREENS)('%s loads in the structure of the loaded screen', async (path, responses) => {
  const pending = await renderWithSamples(path, { user: {} })
  const loaded = await renderWithSamples(path, { user: {}, responses })
  expect(pending).toContain('data-pending')
  expect(structureOf(pending)).toEqual(structureOf(loaded))
})
