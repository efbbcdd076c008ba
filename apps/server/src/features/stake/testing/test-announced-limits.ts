import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { expect, test } from 'vitest'
import { lendingParameters } from '../../../domain/lending/lending-parameters.ts'
import { stakeConfig } from '../../../domain/lending/stake-config.ts'
import { newMember } from '../../../testing/new-member.ts'
import { performAction } from '../../../testing/perform-action.ts'
import { newKey, type TestServer } from '../../../testing/server.ts'
import { announceParameters, storeFirstParameters } from '../announce-parameters.ts'

const DAY = 86_400
const NOW = stakeConfig.shape.stake.parse(undefined)

/** Tests limits that the operator announces, on the server of the feature. A month passes. */
export function testAnnouncedLimits(server: () => TestServer): void {
  /**
   * @attack R08 The operator could lower the limit of open orders with a day's notice and clear every order between old and new.
   * @holds Limits are announced 30 days ahead and count for new orders; an open order keeps those of its opening.
   */
  test('limits change 30 days after they were announced, never for open orders', async () => {
    const user = await newMember(server(), { USDT: '2990', BNB: '2' })
    const { token } = user
    const orders = async () => (await server().ok('stakeOrders', {}, { token })).items
    await server().ok('pledge', { asset: 'USDT', amount: '2000' }, { token, key: newKey() })
    await server().ok('localPrice', { symbol: 'BNBUSDT', price: '600' })
    const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 90 } as const
    const loan = { ...terms, collateral_amount: '1', borrow_amount: '380' }
    const order = await server().ok('lend', loan, { token, key: newKey() })
    const ltv = { initialBps: 5_000, warningBps: 5_500, lastWarningBps: 5_800, liquidationBps: 6_200 }
    const pools = NOW.pools.map((pool) => ({ ...pool, curve: { ...pool.curve, baseBps: 500 } }))
    const { time } = await server().ok('localAdvance', { seconds: 1 })
    // Announces as the operator's action does, on a ledger in memory.
    const ledger = new MemoryLedger(new Date(time))
    ledger.execute(storeFirstParameters(NOW))
    const payload = { after: 1, parameters: { ...NOW, ltv, pools } }
    expect(performAction(ledger, announceParameters, payload)).toMatchObject({ isDone: true })
    const announced = ledger.row(lendingParameters, '2')!
    await server().db.query('insert into lending_parameters values ($1, $2, $3, $4)', [
      announced.id,
      announced.announced_at,
      announced.effective_at,
      announced.parameters,
    ])

    // A session ends after seven days without use.
    for (let day = 0; day < 29; day += 5) {
      await server().ok('localAdvance', { seconds: Math.min(5, 29 - day) * DAY })
      await orders()
    }
    await server().ok('localAdvance', { seconds: 23 * 3_600 })
    await server().ok('localPrice', { symbol: 'BNBUSDT', price: '600' })
    const before = await server().ok('stakeParameters', {})
    expect(before).toMatchObject({ now: { ltv_liquidation: '0.83' }, announced: [{ ltv_liquidation: '0.62' }] })
    expect(await orders()).toMatchObject([{ status: 2 }])

    await server().ok('localAdvance', { seconds: 2 * 3_600 })
    await server().ok('localPrice', { symbol: 'BNBUSDT', price: '600' })
    expect(await server().ok('stakeParameters', {})).toMatchObject({ now: { ltv_liquidation: '0.62' }, announced: [] })
    const [after] = await orders()
    expect(after).toMatchObject({ order_id: order.order_id, status: 2, opened_rate: order.opened_rate })
    // Its liquidation price is still calculated with 83 %.
    expect(Number(after?.liquidation_price)).toBeCloseTo(Number(after?.total_debt) / 0.83, 6)
    const most = await server().call('lend', loan, { token, key: newKey() })
    expect(most.code).toBe(20006)
    expect(Number(most.data && 'max' in most.data ? most.data.max : 0)).toBeCloseTo(300, 0)
  })
}
