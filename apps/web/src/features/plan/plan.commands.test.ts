import { testCommandWords } from '../../testing/command-words.ts'
import words from './plan.commands.ts'
import { LIMIT, PLAN } from './plan.samples.ts'

const BUYS = { symbol: 'BNBUSDT', inverse: 1, amount: '50' } as const
const base = { pool_id: 'bnb-usdt', amount: '1.5' } as const

testCommandWords(words, {
  createPlan: [
    {
      payload: { ...base, inverse: 0, kind: 'limit', price: '650' },
      facts: { sold: 'BNB', bought: 'USDT' },
      asked: ['Plan a limit: sell 1.5 BNB for USDT', '設定限價：賣出 1.5 BNB 換取 USDT'],
      done: [LIMIT, 'Planned: Sell 1 BNB. No funds have moved.'],
    },
    {
      payload: { ...base, inverse: 1, kind: 'limit', price: '600' },
      facts: { sold: 'USDT', bought: 'BNB' },
      asked: ['Plan a limit: buy BNB for 1.5 USDT', '設定限價：用 1.5 USDT 買入 BNB'],
    },
    {
      payload: { ...base, inverse: 1, kind: 'schedule', every: 'week', hour: 9 },
      facts: { sold: 'USDT', bought: 'BNB' },
      asked: ['Plan a schedule: buy BNB for 1.5 USDT each time', '設定定期：每次用 1.5 USDT 買入 BNB'],
    },
    {
      payload: { ...base, inverse: 0, kind: 'schedule', every: 'day', hour: 0 },
      facts: { sold: 'BNB', bought: 'USDT' },
      asked: ['Plan a schedule: sell 1.5 BNB for USDT each time', '設定定期：每次賣出 1.5 BNB 換取 USDT'],
    },
  ],
  pausePlan: [
    {
      payload: { plan_id: '1' },
      facts: BUYS,
      asked: ['Pause the planned swap: Buy BNB for 50 USDT', '暫停計劃閃兌：用 50 USDT 買入 BNB'],
      done: [PLAN, 'Paused: Buy BNB for 50 USDT. It won’t run until you resume it.'],
    },
  ],
  resumePlan: [
    {
      payload: { plan_id: '1' },
      facts: BUYS,
      asked: ['Resume the planned swap: Buy BNB for 50 USDT', '恢復計劃閃兌：用 50 USDT 買入 BNB'],
      done: [PLAN, 'Resumed: Buy BNB for 50 USDT.'],
    },
  ],
  cancelPlan: [
    {
      payload: { plan_id: '1' },
      facts: BUYS,
      asked: ['Cancel the planned swap: Buy BNB for 50 USDT', '取消計劃閃兌：用 50 USDT 買入 BNB'],
      done: [PLAN, 'Cancelled: Buy BNB for 50 USDT. No funds have moved.'],
    },
  ],
})
