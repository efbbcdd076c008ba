import { afterEach, expect, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { pageOf, renderScreen } from '../../testing/render-screen.tsx'
import type { CandlePages } from './candles.queries.ts'
import { chartChoiceStore } from './chart-choice.ts'
import { tradeTime } from './latest-trades.tsx'
import type { Ticker, Trade } from './market.queries.ts'
import { SPOT, TRADE } from './market.samples.ts'
import { BNB } from './pair.samples.ts'
import type { Pair } from './use-pairs.ts'

const RT: Pair = { ...BNB, id: 'rt-usdt', base: 'RT', symbol: 'RTUSDT', price: '0.10047', spot_symbol: null }
const CANDLES: CandlePages = {
  candles: [{ time: '2030-01-01T00:00:00.000Z', open: '610', high: '622', low: '609', close: '615', volume: '3' }],
  hasOlder: true,
}
/** As many candles of 15 minutes, up to the one of `CANDLES`. */
const candlesUntil = ({ candles: [last], ...rest }: CandlePages, count: number): CandlePages => ({
  ...rest,
  candles: Array.from({ length: count }, (_, index) => ({
    ...(last as CandlePages['candles'][number]),
    time: new Date(Date.parse(last?.time ?? '') - (count - 1 - index) * 900_000).toISOString(),
  })),
})
interface Known {
  readonly pairs?: readonly Pair[]
  readonly ticker?: Ticker
  readonly candles?: CandlePages
  readonly trades?: readonly Trade[]
}

/** The market screen with the responses that are known. */
function render(path: string, { pairs, ticker, candles, trades }: Known): Promise<string> {
  const ofPool = (poolId: string) => [
    ...(candles ? [{ queryKey: ['candles', { kind: 'pool', poolId }, '15m'], data: candles }] : []),
    ...(trades
      ? [{ queryKey: ['swapTrades', { pool_id: poolId, limit: 20 }], data: { items: trades, next_cursor: null } }]
      : []),
  ]
  return renderScreen(path, {
    responses: [
      ...(pairs ? [{ queryKey: ['pairs', {}], data: pairs }] : []),
      ...(ticker ? [{ queryKey: ['spotTicker', { symbol: ticker.symbol }], data: ticker }] : []),
      ...(pairs ?? []).flatMap(({ id }) => ofPool(id)),
    ],
  })
}

const FIRST_CHOICE = chartChoiceStore.get()
afterEach(() => chartChoiceStore.set(FIRST_CHOICE))
const showPoolCandles = () => chartChoiceStore.set({ ...FIRST_CHOICE, kind: 'pool', view: 'candles' })

test('shows placeholders until the first response', async () => {
  const html = await render('/en/markets/BNBUSDT', {})
  expect(html).toContain('>Loading</span>')
  expect(html).not.toContain('USDT / ')
})

test.each([
  [
    '/en/markets/BNBUSDT',
    [
      'Pool price',
      '24h high',
      'Difference from spot',
      'would leave the pool price more than',
      'Buy BNB',
      'Sell BNB',
      'Source: exchange',
    ],
  ],
  [
    '/markets/BNBUSDT',
    ['兌換池價格', '24 小時最高', '與現貨價差距', '的閃兌不獲接納', '買入 BNB', '賣出 BNB', '來源：exchange'],
  ],
])('%s shows the price, 24 hours, pool and spot', async (path, words) => {
  const html = await render(path, { pairs: [BNB], ticker: SPOT })
  // Cut, never rounded up; 620 is a thirtieth above 600. The head and the day are those of spot.
  for (const word of [...words, 'BNB/USDT', '620.00', '640.00', '−2.00%', '+3.33%', '0.25%'])
    expect(html).toContain(word)
  showPoolCandles()
  const ofPool = await render(path, { pairs: [BNB], ticker: SPOT })
  for (const word of [...words, '625.12', '+1.23%']) expect(ofPool).toContain(word)
})

test.each([
  ['/en/markets/BNBUSDT', 'Last 620.00.', 'View as table'],
  ['/markets/BNBUSDT', '最新價 620.00。', '以表格顯示'],
])('%s describes the price range up to the current price', async (path, summary, way) => {
  showPoolCandles()
  const html = await render(path, { pairs: [BNB], ticker: SPOT, candles: candlesUntil(CANDLES, 12) })
  expect(html).toContain(summary)
  expect(html).toContain(way)
  expect(html).toContain('aria-valuenow="12"')
})

test.each([
  ['/en/markets/BNBUSDT', 'The price is 620.00. A chart appears after a few more prices (1 so far)'],
  ['/markets/BNBUSDT', '現價 620.00。'],
])('%s shows a sentence instead of few candles', async (path, few) => {
  showPoolCandles()
  const html = await render(path, { pairs: [BNB], ticker: SPOT, candles: CANDLES })
  expect(html).toContain(few)
  expect(html).not.toContain('role="slider"')
})

test.each([
  ['/en/markets/BNBUSDT', 'Lowest', 'A chart appears after a few more prices (3 so far)'],
  ['/markets/BNBUSDT', '最低', '現有 3 個'],
])('%s draws spot as a line, or a sentence for few prices', async (path, lowest, few) => {
  const source = { kind: 'spot', symbol: 'BNBUSDT' }
  const hours = (count: number) =>
    Array.from({ length: count }, (_, hour) => ({
      ...CANDLES.candles[0],
      time: new Date(Date.parse(SPOT.time) - (count - hour) * 3_600_000).toISOString(),
    }))
  const withLine = (count: number) =>
    renderScreen(path, {
      responses: [
        { queryKey: ['pairs', {}], data: [BNB] },
        { queryKey: ['spotTicker', { symbol: 'BNBUSDT' }], data: SPOT },
        { queryKey: ['priceLine', source, 'day'], data: hours(count) },
      ],
    })
  const html = await withLine(24)
  expect(html).toContain(lowest)
  expect(html).toContain('aria-valuemax="25"')
  expect(await withLine(2)).toContain(few)
})

test.each([
  ['/en/markets/BNBUSDT', 'No price history yet', 'No trades yet', 'Show spot market'],
  ['/markets/BNBUSDT', '暫無走勢', '暫無成交', '查看現貨走勢'],
])('%s of an unused pool is empty and links to spot', async (path, candles, trades, spot) => {
  showPoolCandles()
  const unused = { candles: { candles: [], hasOlder: true }, trades: [] }
  const html = await render(path, { pairs: [BNB], ...unused })
  for (const words of [candles, trades, spot]) expect(html).toContain(words)
  expect(await render(path.replace('BNB', 'RT'), { pairs: [RT], ...unused })).not.toContain(spot)
})

test.each([
  ['/en/markets/BNBUSDT', 'Sell'],
  ['/markets/BNBUSDT', '賣出'],
])('%s shows the latest trades with their side in words', async (path, side) => {
  const html = await render(path, { pairs: [BNB], trades: [TRADE] })
  for (const word of [side, '619.87', '1.5000']) expect(html).toContain(`>${word}<`)
})

test.each([
  ['another amount', '0.5', false],
  ['the same amount', TRADE.amount_base, true],
])('marks a trade as the user’s own beside an order of %s', async (_case, amount_in, isOwn) => {
  const order = {
    ...{ transaction_id: 's1', pool_id: BNB.id, symbol: BNB.symbol, inverse: 0 as const, amount_in, amount_out: '1' },
    ...{ price: '1', fee: '0', status: 'completed' as const, created_at: TRADE.time },
  }
  const html = await renderScreen('/en/markets/BNBUSDT', {
    user: {},
    responses: [
      { queryKey: ['pairs', {}], data: [BNB] },
      { queryKey: ['swapTrades', { pool_id: BNB.id, limit: 20 }], data: { items: [TRADE], next_cursor: null } },
      pageOf('orders', { pool_id: BNB.id }, [order]),
    ],
  })
  expect(html.includes('>You<')).toBe(isOwn)
})

test.each([
  ['/en/markets/RTUSDT', 'RT trades only in this pool', 'Spot'],
  ['/markets/RTUSDT', 'RT 只在此兌換池買賣', '現貨'],
])('%s without a spot market neither requests nor offers one', async (path, words, choice) => {
  const html = await render(path, { pairs: [RT] })
  expect(html).toContain(words)
  expect(html).toContain('0.10047')
  expect(html).not.toContain(`>${choice}<`)
  const known = queryClient.getQueryCache().findAll({ queryKey: ['spotTicker'] })
  // The key of a disabled query.
  expect(known.map(({ queryKey, state }) => [queryKey[1], state.fetchStatus])).toEqual([[{ symbol: '' }, 'idle']])
  expect(await render(path.replace('RT', 'BNB'), { pairs: [BNB] })).toContain(`>${choice}<`)
})

test.each([
  ['/en/markets/BNBUSDT', 'operator', ['Trading suspended', 'The operator has suspended this pool', 'Since ']],
  ['/markets/BNBUSDT', 'operator', ['交易已暫停', '營運方已暫停此兌換池', '由 ']],
  ['/en/markets/BNBUSDT', 'insolvent', ['the vault holds less than the ledger records']],
  ['/markets/BNBUSDT', 'insolvent', ['保管庫持有的款項少於帳本紀錄']],
  ['/en/markets/BNBUSDT', 'something_new', ['Swaps are suspended. Your recorded balance is unchanged']],
  ['/markets/BNBUSDT', 'something_new', ['閃兌已暫停，你的帳面餘額維持不變']],
])('%s suspended for %s shows the reason', async (path, reason, words) => {
  const suspended = { suspended: true, suspended_reason: reason, suspended_at: '2030-01-01T00:00:00.000Z' }
  const html = await render(path, { pairs: [BNB, RT].map((pair) => ({ ...pair, ...suspended })) })
  for (const word of words) expect(html).toContain(word)
})

const SOURCES = [
  { name: 'exchange', price: '600', time: SPOT.time, stale: true },
  { name: 'oracle', price: '601', time: SPOT.time, stale: false },
]

test.each([
  [
    '/en/markets/BNBUSDT',
    'stale',
    'Stale price',
    'wait for two sources that agree',
    'You can still swap, repay and add',
  ],
  ['/en/markets/BNBUSDT', 'one_source', 'One source', 'wait for two sources that agree', 'You can still swap'],
  ['/en/markets/BNBUSDT', 'apart', 'Sources differ', 'Borrowing and taking back collateral wait', 'You can still swap'],
  ['/markets/BNBUSDT', 'stale', '價格已過時', '有兩個一致的來源前，不能借入', '閃兌、還款及追加抵押品一切照常'],
  ['/markets/BNBUSDT', 'one_source', '單一來源', '不能借入、取回抵押品或清算', '閃兌、還款及追加抵押品一切照常'],
  ['/markets/BNBUSDT', 'apart', '報價有差距', '重新接近前不能借入', '閃兌、還款及追加抵押品一切照常'],
] as const)('%s marks a price that is %s and says what works', async (path, state, badge, waits, works) => {
  const ticker = { ...SPOT, state, stale: state !== 'apart' }
  const html = await render(path, { pairs: [BNB], ticker })
  // On the price and on the spot card.
  expect(html.split(`>${badge}<`)).toHaveLength(3)
  for (const words of [waits, works, '600.00']) expect(html).toContain(words)
})

test.each([
  ['/en/markets/BNBUSDT', 'Stale price'],
  ['/markets/BNBUSDT', '價格已過時'],
])('%s marks each stale source', async (path, badge) => {
  const html = await render(path, { pairs: [BNB], ticker: { ...SPOT, state: 'one_source', sources: SOURCES } })
  expect(html.split(badge)).toHaveLength(2)
  expect(html).toContain('oracle')
})

/**
 * @attack A01 While the spot price was unknown, screens showed the swap pool's price in its place.
 * @holds An unknown price is shown as none, with the commands that still work; the pool's price keeps its own name.
 */
test.each([
  ['/en/markets/BNBUSDT', 'No price', 'wait for two sources that agree', 'Spot price'],
  ['/markets/BNBUSDT', '暫無價格', '有兩個一致的來源前', '現貨價'],
])('%s shows an unknown price as none', async (path, none, waits, label) => {
  const ticker = { ...SPOT, state: 'unknown', price: null, change_24h: null, time: null, stale: true } as const
  const html = await render(path, { pairs: [BNB], ticker: { ...ticker, sources: SOURCES } })
  for (const words of [none, waits, label]) expect(html).toContain(words)
  expect(html).not.toMatch(/>(NaN|null|undefined|0\.00)</)
  // The pool's card alone has the pool's price, as such.
  expect(html.split('620.00')).toHaveLength(2)
  expect(html).not.toContain(path.startsWith('/en') ? 'Difference from spot' : '與現貨價差距')
})

test('an invalid market name is not found', async () => {
  expect(await render('/en/markets/B-USDT', {})).toContain('Page not found: /en/markets/B-USDT')
})

test("shows the time of today's trades, and the day of older ones", () => {
  const now = new Date(2030, 5, 2, 12)
  expect(tradeTime(new Date(2030, 5, 2, 9, 8, 7).toISOString(), now)).toBe('09:08:07')
  expect(tradeTime(new Date(2030, 5, 1, 23, 4).toISOString(), now)).toMatch(/^(6月1日|1 Jun) 23:04$/)
  expect(tradeTime(new Date(2029, 11, 31, 23).toISOString(), now)).toMatch(/^(2029年12月31日|31 Dec 2029)$/)
})
