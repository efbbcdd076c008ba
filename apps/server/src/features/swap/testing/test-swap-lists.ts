import { describe, expect, test } from 'vitest'
import { newTrader, swap, units } from '../../../testing/traders.ts'
import { poolTag } from '../order-id.ts'
import type { SwapWorld } from './swap-world.ts'

/** Tests the lists of a user's swaps and of a pool's trades. */
export function testSwapLists(world: SwapWorld): void {
  test("lists the owner's orders by pool and page, newest first", { tags: ['§7.18', '§7.19'] }, async () => {
    const user = await newTrader(world.server)
    const sold = await swap(world.server, user, { amount: '0.5' })
    const rt = await swap(world.server, user, { pool_id: 'rt-usdt', amount: '50', inverse: 1 })
    const bought = await swap(world.server, user, { amount: '100', inverse: 1 })
    const list = (filter: { pool_id?: string; limit?: number; cursor?: string }) =>
      world.server.ok('orders', filter, { token: user.token })
    const { items } = await list({})
    expect(items.map((item) => item.transaction_id)).toEqual([bought, rt, sold].map((each) => each.transaction_id))
    expect(items[2]).toMatchObject({
      symbol: 'BNBUSDT',
      inverse: 0,
      amount_in: '0.5',
      amount_out: sold.amount_out,
      fee: '0.00125',
      status: 'completed',
    })
    // The price of one BNB in USDT, in both directions.
    for (const item of [items[0], items[2]]) {
      const [bnb, usdt] = item?.inverse ? [item.amount_out, item.amount_in] : [item?.amount_in, item?.amount_out]
      expect(units(item?.price)).toBe((units(usdt) * 10n ** 18n) / units(bnb))
    }
    expect((await list({ pool_id: 'rt-usdt' })).items).toEqual([items[1]])
    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.next_cursor ?? '' })
    expect([...first.items, ...second.items]).toEqual(items)
    expect(second.next_cursor).toBeNull()

    const asked = { transaction_id: sold.transaction_id }
    expect(await world.server.ok('getOrderStatus', asked, { token: user.token })).toEqual({
      ...asked,
      status: 'completed',
      amount_in: '0.5',
      amount_out: sold.amount_out,
      fee: '0.00125',
    })
    const newcomer = await world.server.newUser({ faucet: false })
    expect((await world.server.ok('orders', {}, { token: newcomer.token })).items).toEqual([])
  })

  describe('the trades of a pool', () => {
    test('are anonymous, newest first, in pages', async () => {
      const [one, other] = [await newTrader(world.server), world.trader]
      const pool_id = 'eth-usdt'
      const made = [
        await swap(world.server, one, { pool_id, amount: '50', inverse: 1 }),
        await swap(world.server, other, { pool_id, amount: '20', inverse: 1 }),
        await swap(world.server, one, { pool_id, amount: '10', exact: 'out' }),
      ]
      await swap(world.server, other, { pool_id: 'rt-usdt', amount: '10', inverse: 1 })
      const { items, next_cursor } = await world.server.ok('swapTrades', { pool_id })
      expect(next_cursor).toBeNull()
      expect(items.map(({ side, amount_base, amount_quote }) => [side, amount_base, amount_quote])).toEqual([
        ['sell', made[2]?.amount_in, made[2]?.amount_out],
        ['buy', made[1]?.amount_out, '20'],
        ['buy', made[0]?.amount_out, '50'],
      ])
      for (const { price, amount_base, amount_quote } of items)
        expect(units(price)).toBe((units(amount_quote) * 10n ** 18n) / units(amount_base))
      const pages: typeof items = []
      let cursor: string | undefined
      do {
        const page = await world.server.ok('swapTrades', { pool_id, limit: 1, ...(cursor ? { cursor } : {}) })
        pages.push(...page.items)
        cursor = page.next_cursor ?? undefined
        for (const { transaction_id } of made) expect(cursor).not.toBe(transaction_id)
      } while (cursor)
      expect(pages).toEqual(items)
      const json = JSON.stringify(items)
      for (const text of [one.id, other.id, ...made.map((each) => each.transaction_id)])
        expect(json).not.toContain(text)
      expect(new Set(items.map((item) => item.id)).size).toBe(3)
    })

    test('rejects a foreign cursor', async () => {
      expect(await world.server.call('swapTrades', { pool_id: 'bnb-usdt', cursor: 'l0-x' })).toMatchObject({
        status: 400,
        code: 20000,
        data: { fields: { cursor: expect.any(String) } },
      })
    })

    test('are read backward by primary key', async () => {
      // Enough rows to make a plan that reads and sorts them all more expensive.
      await world.server.db.query(
        `insert into swap_orders (id, user_id, pool_id, inverse, amount_in, amount_out, fee, created_at)
         select $1 || lpad(to_hex(n), 12, '0') || lpad('', 20, 'a'), 'x', 'eth-usdt', false, 1, 1, 1, 'epoch'
         from generate_series(1, 20000) as n`,
        [poolTag('eth-usdt')],
      )
      await world.server.db.script('analyze swap_orders')
      const plan = await world.server.db.query<Record<'QUERY PLAN', string>>(
        `explain select id from swap_orders
         where id >= '${poolTag('bnb-usdt')}' and id < '${poolTag('bnb-usdt')}g' and pool_id = 'bnb-usdt'
           and length(id) = 36 order by id desc limit 21`,
      )
      const text = plan.map((line) => line['QUERY PLAN']).join('\n')
      expect(text).toContain('Index Scan Backward using swap_orders_pkey')
      expect(text).not.toContain('Sort')
      await world.server.db.query(`delete from swap_orders where user_id = 'x'`)
    })
  })
}
