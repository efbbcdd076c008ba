import { randomUUID } from 'node:crypto'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lendingParameters } from '../../domain/lending/lending-parameters.ts'
import { stakeConfig } from '../../domain/lending/stake-config.ts'
import { operatorCommand } from '../../platform/operator/operator-action.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { announceParameters, noticeDaysOf, storeFirstParameters } from './announce-parameters.ts'

const HOUR = 3_600
const NOW = stakeConfig.shape.stake.parse(undefined)

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await startTestServer()
  user = await server.newUser()
  for (const [asset, amount] of [
    ['USDT', '3000'],
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

/**
 * @attack R08 The operator could lower the limit of open orders with a day's notice and clear every order between old and new.
 * @holds Limits are announced 30 days ahead and count for new orders; an open order keeps those of its opening.
 */
test('limits change 30 days after they were announced, never for open orders', async () => {
  const { token } = user
  await server.ok('pledge', { asset: 'USDT', amount: '2000' }, { token, key: newKey() })
  await setPrice('600')
  const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 90 } as const
  const loan = { ...terms, collateral_amount: '1', borrow_amount: '380' }
  const order = await server.ok('lend', loan, { token, key: newKey() })
  const ltv = { initialBps: 5_000, warningBps: 5_500, lastWarningBps: 5_800, liquidationBps: 6_200 }
  const pools = NOW.pools.map((pool) => ({ ...pool, curve: { ...pool.curve, baseBps: 500 } }))
  const { time } = await server.ok('localAdvance', { seconds: 1 })
  ledger = new MemoryLedger(new Date(time))
  ledger.execute(storeFirstParameters(NOW))
  expect(announce(1, { ...NOW, ltv, pools })).toMatchObject({ isDone: true })
  const announced = ledger.row(lendingParameters, '2')!
  await server.db.query('insert into lending_parameters values ($1, $2, $3, $4)', [
    announced.id,
    announced.announced_at,
    announced.effective_at,
    announced.parameters,
  ])

  // A session ends after seven days without use.
  for (let day = 0; day < 29; day += 5) {
    await server.ok('localAdvance', { seconds: Math.min(5, 29 - day) * 24 * HOUR })
    await ordersOf()
  }
  await server.ok('localAdvance', { seconds: 23 * HOUR })
  await setPrice('600')
  const before = await server.ok('stakeParameters', {})
  expect(before).toMatchObject({ now: { ltv_liquidation: '0.83' }, announced: [{ ltv_liquidation: '0.62' }] })
  expect(await ordersOf()).toMatchObject([{ status: 2 }])

  await server.ok('localAdvance', { seconds: 2 * HOUR })
  await setPrice('600')
  expect(await server.ok('stakeParameters', {})).toMatchObject({ now: { ltv_liquidation: '0.62' }, announced: [] })
  expect(await ordersOf()).toMatchObject([{ order_id: order.order_id, status: 2, opened_rate: order.opened_rate }])
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
  // Fewer terms lend less: immediately.
  expect(textOf({ ...NOW, termsDays: [7] })).toContain('2030-01-01T00:00:00.000Z')
  expect(textOf({ ...NOW, termsDays: [30] })).toContain('announced meanwhile')
})

test('a change is announced as long before as it can hurt', () => {
  const [usdt, bnb] = NOW.pools
  const { ltv, liquidation, caps, notice } = NOW
  const days = (after: Partial<typeof NOW>) => noticeDaysOf(NOW, { ...NOW, ...after })
  expect(days({ ltv: { ...ltv, initialBps: 6_000 }, caps: { ...caps, orderBps: 1_000 }, termsDays: [7, 30] })).toBe(0)
  expect(days({ pools: [{ ...usdt!, curve: { ...usdt!.curve, baseBps: 100 } }, bnb!] })).toBe(7)
  expect(days({ caps: { ...caps, accountBps: 5_000 } })).toBe(7)
  expect(days({ ltv: { ...ltv, liquidationBps: 8_200 } })).toBe(30)
  expect(days({ liquidation: { ...liquidation, bonusBps: 10_900 } })).toBe(30)
  expect(days({ pools: [{ ...usdt!, minLoan: '20' }, bnb!] })).toBe(30)
  expect(days({ notice: { ...notice, days: 8 } })).toBe(30)
})

test('a change does not overtake one that was announced before', () => {
  const [usdt, bnb] = NOW.pools
  expect(announce(1, { ...NOW, ltv: { ...NOW.ltv, liquidationBps: 8_200 } }).text).toContain('2030-01-31')
  const dear = { ...NOW, pools: [{ ...usdt!, curve: { ...usdt!.curve, baseBps: 100 } }, bnb!] }
  expect(announce(2, dear).text).toContain('2030-01-31')
})
