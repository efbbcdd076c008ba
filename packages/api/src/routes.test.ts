import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type RouteName, routes } from './routes.ts'

const SWAP = { pool_id: 'bnb-usdt', amount: '1', inverse: '0', min_amount_out: '0', deadline: '2030-01-01' }

for (const [row, name, method, path, payload] of [
  ['§7.07', 'getNonce', 'POST', '/DappUser/getNonce', { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
  ['§7.10', 'userinfo', 'GET', '/profile/userinfo', {}],
  ['§7.11', 'getActiveStatus', 'POST', '/SwapPool/getActiveStatus', {}],
  ['§7.12', 'active', 'POST', '/SwapPool/active', {}],
  ['§7.13', 'activeByBalance', 'POST', '/SwapPool/activeByBalance', {}],
  ['§7.14', 'pairs', 'POST', '/SwapPool/pairs', {}],
  ['§7.16', 'getQuote', 'POST', '/SwapPool/getQuote', { pool_id: 'bnb-usdt', amount: '1', inverse: '1' }],
  ['§7.17', 'doSwap', 'POST', '/SwapPool/doSwap', SWAP],
  ['§7.18', 'orders', 'POST', '/SwapPool/orders', {}],
  ['§7.19', 'getOrderStatus', 'POST', '/SwapPool/getOrderStatus', { transaction_id: 'swap-1' }],
  ['§7.20', 'swapKline', 'POST', '/SwapPool/kline', { pool_id: 'bnb-usdt', interval: '1m' }],
  ['§7.21', 'spotTicker', 'POST', '/spot/ticker', { symbol: 'BNBUSDT' }],
  ['§7.22', 'spotKline', 'POST', '/spot/kline', { symbol: 'BNBUSDT', interval: '1m' }],
] as const satisfies readonly (readonly [string, RouteName, ...unknown[]])[]) {
  test(`${name} is ${method} ${path}`, { tags: [row] }, () => {
    expect(routes[name]).toMatchObject({ method, path })
    const parsed = z.safeParse(routes[name].payload as z.core.$ZodType<Record<string, unknown>>, payload)
    expect(Object.keys(parsed.data ?? {})).toEqual(expect.arrayContaining(Object.keys(payload)))
  })
}

test('calls of the newer features keep their published paths', { tags: ['§7.28'] }, () => {
  const paths = Object.values(routes).map(({ method, path }) => `${method} ${path}`)
  const published = {
    Stake:
      'market pledgeInfo pledge unpledge loanQuote lend addCollateral removeCollateral repay orders liquidations liquidate receipt',
    BlindBox: 'rules status click history boxes claim proof',
    Node: 'overview income',
    Team: 'overview members referralShares',
    Rank: 'list visibility',
    Rich: 'overview link rename deposit collect stepDown takeBack requestUpgrade approve requests children earnings',
  }
  for (const [group, calls] of Object.entries(published))
    expect(paths).toEqual(expect.arrayContaining(calls.split(' ').map((call) => `POST /${group}/${call}`)))
})
