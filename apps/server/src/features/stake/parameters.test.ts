import { randomUUID } from 'node:crypto'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { stakeConfig } from '../../config/stake-config.ts'
import { lendingParameters } from '../../platform/lending/lending-parameters.ts'
import { operatorCommand } from '../../platform/operator/operator-action.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { announceParameters, storeFirstParameters } from './announce-parameters.ts'

const HOUR = 3_600
const NOW = stakeConfig.shape.stake.parse(undefined)

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await startTestServer()
  user = await server.newUser()
  for (const [asset, amount] of [
    ['USDT', '2000'],
    ['BNB', '2'],
  ] as const)
    await user.transferIn(asset, amount)
  await user.activateByBalance()
}, 60_000)
afterAll(() => endExact(server, { mayReport: true }))

const setPrice = (price: string) => server.ok('localPrice', { symbol: 'BNBUSDT', price })
const ordersOf = async () => (await server.ok('stakeOrders', {}, { token: user.token })).items

/** Announces as the operator's action does, on a ledger in memory. */
function announce(after: number, parameters: unknown) {
  const payload = JSON.stringify({ after, parameters })
  const request = { id: randomUUID(), kind: announceParameters.kind, payload, reason: 'test', asked_at: ledger.now }
  return ledger.execute(operatorCommand([announceParameters], request))
}

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(new Date('2030-01-01T00:00:00Z'))
  ledger.execute(storeFirstParameters(NOW))
})

test('limits change a day after they were announced, rates of loans never', async () => {
  const { token } = user
  await server.ok('pledge', { asset: 'USDT', amount: '1000' }, { token, key: newKey() })
  await setPrice('600')
  const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 30 } as const
  const loan = { ...terms, collateral_amount: '1', borrow_amount: '380' }
  const order = await server.ok('lend', loan, { token, key: newKey() })
  const ltv = { initialBps: 5_000, warningBps: 5_500, lastWarningBps: 5_800, liquidationBps: 6_200 }
  const pools = NOW.pools.map((pool) => ({ ...pool, curve: { ...pool.curve, baseBps: 500 } }))
  const { time } = await server.ok('localAdvance', { seconds: 1 })
  ledger.now = new Date(time)
  expect(announce(1, { ...NOW, ltv, pools })).toMatchObject({ isDone: true })
  const announced = ledger.row(lendingParameters, '2')!
  await server.db.query('insert into lending_parameters values ($1, $2, $3, $4)', [
    announced.id,
    announced.announced_at,
    announced.effective_at,
    announced.parameters,
  ])

  await server.ok('localAdvance', { seconds: 23 * HOUR })
  await setPrice('600')
  const before = await server.ok('stakeParameters', {})
  expect(before).toMatchObject({ now: { ltv_liquidation: '0.83' }, announced: [{ ltv_liquidation: '0.62' }] })
  expect(await ordersOf()).toMatchObject([{ status: 2 }])

  await server.ok('localAdvance', { seconds: HOUR })
  await setPrice('600')
  expect(await server.ok('stakeParameters', {})).toMatchObject({ now: { ltv_liquidation: '0.62' }, announced: [] })
  expect(await ordersOf()).toMatchObject([{ order_id: order.order_id, status: 0, rate: order.rate }])
  const most = await server.call('lend', loan, { token, key: newKey() })
  expect(most.code).toBe(20006)
  expect(Number(most.data && 'max' in most.data ? most.data.max : 0)).toBeCloseTo(300, 0)
})

test('a change that breaks a promise is refused', () => {
  const [usdt, bnb] = NOW.pools
  const textOf = (parameters: unknown, after = 1) => announce(after, parameters).text
  expect(textOf(NOW)).toContain('same parameters')
  expect(textOf({ ...NOW, pools: [usdt] })).toContain('cannot be removed')
  expect(textOf({ ...NOW, pools: [{ ...usdt, reserveBps: 5_000 }, bnb] })).toContain('cannot change')
  expect(textOf({ ...NOW, collateral: ['BNB', 'USDT'] })).toContain('ETH cannot be removed')
  expect(textOf({ ...NOW, termsDays: [7] })).toContain('2030-01-02T00:00:00.000Z')
  expect(textOf({ ...NOW, termsDays: [30] })).toContain('announced meanwhile')
})
