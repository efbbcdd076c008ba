import { expect, test } from 'vitest'
import { factsIn, textOf } from '../../testing/facts.ts'
import { actionLook, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { PAIRS } from './plan.samples.ts'

const POOLS = responseTo('pairs', {}, [...PAIRS])
const BALANCES = responseTo('balances', {}, [
  {
    asset: 'BNB',
    available: '0.5',
    locked: '0',
    pledged: '0',
    collateral: '0',
    total: '0.5',
    value_usdt: '310',
    owed: '0',
    owed_usdt: '0',
  },
])
/** Sells 1 BNB at first 5 percent above the pool's price of 620. */
const SELL = '?pair=BNBUSDT&sell=BNB&amount=%221%22'
const BUY = '?pair=BNBUSDT&sell=USDT&amount=%22589%22'

test.each([
  [
    `/en/swap/plans/limit${SELL}`,
    [
      'You receive at least: 651 USDT',
      'Price for this amount now: 618.32 USDT',
      'Runs at a pool price of about: 652.76 USDT',
    ],
  ],
  [
    `/swap/plans/limit${SELL}`,
    ['最少收到: 651 USDT', '此數量現時可得價格: 618.32 USDT', '兌換池價格約升至此便執行: 652.76 USDT'],
  ],
  [
    `/en/swap/plans/limit${BUY}`,
    [
      'You receive at least: 1 BNB',
      'Price for this amount now: 621.67 USDT',
      'Runs at a pool price of about: 587.41 USDT',
    ],
  ],
])('the limit of %s names least amount, price now and trigger', async (path, facts) => {
  const html = await renderScreen(path, { user: {}, responses: [POOLS] })
  expect(factsIn(html)).toEqual(expect.arrayContaining(facts))
})

test('warns that a limit ends where the balance is too low', async () => {
  const html = await renderScreen(`/en/swap/plans/limit${SELL}`, { user: {}, responses: [POOLS, BALANCES] })
  expect(textOf(html)).toContain(
    'This is more than your available balance. If you still have too little when the price comes',
  )
  const enough = await renderScreen('/en/swap/plans/limit?pair=BNBUSDT&sell=BNB&amount=%220.5%22', {
    user: {},
    responses: [POOLS, BALANCES],
  })
  expect(textOf(enough)).not.toContain('This is more than your available balance')
})

test.each([
  ['/en/swap/plans/limit', 'Connect', {}],
  ['/en/swap/plans/schedule', 'Activate Now', { user: { activated: false } }],
  ['/swap/plans/schedule', '檢視計劃', { user: {} }],
])('the action of %s is %s', async (path, action, options) => {
  const html = await renderScreen(path, { ...options, responses: [POOLS] })
  expect(textOf(/class="screen-action.*$/s.exec(html)?.[0] ?? '')).toMatch(new RegExp(`^${action}|> ${action}`))
})

test.each([
  ['/en/swap/plans/limit', 'idle'],
  ['/swap/plans/limit?pair=BNBUSDT&sell=USDT&amount=%221%22', 'idle'],
  [`/en/swap/plans/limit${SELL}`, 'main'],
  ['/en/swap/plans/schedule', 'idle'],
  ['/swap/plans/schedule?pair=BNBUSDT&sell=USDT&amount=%22200%22', 'main'],
] as const)('the action of %s looks %s', async (path, look) => {
  const html = await renderScreen(path, { user: {}, responses: [POOLS] })
  expect(actionLook(html)).toBe(look)
})

test.each([
  ['/en/swap/plans/limit?pair=BNBUSDT&sell=BNB', ['+1%', '+5% chosen', '+10%']],
  ['/swap/plans/limit?pair=BNBUSDT&sell=USDT', ['−1%', '−5% chosen', '−10%']],
])('the price steps of %s mark the one in the field', async (path, steps) => {
  const html = await renderScreen(path, { user: {}, responses: [POOLS] })
  const found = [...html.matchAll(/aria-pressed="(true|false)"[^>]*>([^<]+%)</g)]
  expect(found.map(([, isChosen, text]) => (isChosen === 'true' ? `${text} chosen` : text))).toEqual(steps)
})

test('a suspended pool says that a plan cannot run', async () => {
  const [pair] = PAIRS
  const responses = [responseTo('pairs', {}, [{ ...pair, suspended: true }])]
  const html = await renderScreen('/en/swap/plans/limit', { user: {}, responses })
  expect(textOf(html)).toContain(
    'Trading suspended You can plan this swap now. It can’t run while the pool is suspended.',
  )
})
