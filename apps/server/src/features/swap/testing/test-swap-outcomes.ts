import { quoteExactIn } from '@clearwell/rules/swap'
import { describe, expect, test } from 'vitest'
import { newKey } from '../../../testing/server.ts'
import { reservesOf, swap, swapPayload, trySwap, units } from '../../../testing/traders.ts'
import { FEES, type SwapWorld } from './swap-world.ts'

/** Tests how a client finds the outcome of a swap, and swaps at the same moment. */
export function testSwapOutcomes(world: SwapWorld): void {
  describe('the outcome of a swap', () => {
    const status = (key: string, token: string) =>
      world.server.call('getOrderStatus', { idempotency_key: key }, { token })
    const nothing = { status: 404, code: 20009 }

    test('returns completed, failed or not found by key, to the owner only', async () => {
      const [done, refused, never] = [newKey(), newKey(), newKey()] as [string, string, string]
      const order = await swapPayload(world.server, { amount: '0.25' })
      const response = await world.server.ok('doSwap', order, { token: world.invited.token, key: done })
      await world.server.call('doSwap', { ...order, amount: '3' }, { token: world.invited.token, key: refused })
      expect((await status(done, world.invited.token)).data).toEqual(response)
      expect((await status(refused, world.invited.token)).data).toEqual({
        transaction_id: '',
        status: 'failed',
        reason: 'balance_not_enough',
        amount_in: '0',
        amount_out: '0',
        fee: '0',
      })
      expect(await status(never, world.invited.token)).toMatchObject(nothing)
      for (const key of [done, refused]) expect(await status(key, world.trader.token)).toMatchObject(nothing)
      const byId = { transaction_id: response.transaction_id }
      expect(await world.server.ok('getOrderStatus', byId, { token: world.invited.token })).toEqual(response)
      expect(await world.server.call('getOrderStatus', byId, { token: world.trader.token })).toMatchObject(nothing)
    })

    test('waits for a swap that is still queued', async () => {
      const key = newKey()
      const order = await swapPayload(world.server, { amount: '0.25' })
      const [swapped, asked] = await Promise.all([
        world.server.ok('doSwap', order, { token: world.invited.token, key }),
        world.server.ok('getOrderStatus', { idempotency_key: key }, { token: world.invited.token }),
      ])
      expect(asked).toEqual(swapped)
    })

    test('returns not found for a key of another call', async () => {
      const key = newKey()
      await world.server.ok('buy', { asset: 'USDT', amount: '20' }, { token: world.trader.token, key })
      expect(await status(key, world.trader.token)).toMatchObject(nothing)
    })

    test.each([
      ['no identifier', {}, 'transaction_id'],
      ['two identifiers', { transaction_id: 'x', idempotency_key: 'abcdefgh' }, 'idempotency_key'],
      ['a malformed key', { idempotency_key: 'short' }, 'idempotency_key'],
    ])('rejects %s as invalid input', async (_what, payload, field) => {
      const reply = await world.server.call('getOrderStatus', payload, { token: world.trader.token })
      expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { [field]: expect.any(String) } } })
    })
  })

  describe('concurrent requests', () => {
    test('execute in order, each at the reserves that the one before left', async () => {
      let pool = await reservesOf(world.server)
      const wishes = Array.from({ length: 20 }, (_, index) =>
        index % 3 === 0 ? ({ amount: '5', inverse: 1 } as const) : { amount: `0.0${index + 1}` },
      )
      const replies = await Promise.all(
        wishes.map((wish, index) => swap(world.server, index % 2 ? world.trader : world.invited, wish)),
      )
      const inOrder = await world.server.db.query<{ reference: string }>(
        `select reference from entries where kind = 'swap' and reference = any($1::text[]) order by seq`,
        [replies.map((reply) => reply.transaction_id)],
      )
      expect(inOrder).toHaveLength(20)
      for (const { reference } of inOrder) {
        const index = replies.findIndex((reply) => reply.transaction_id === reference)
        const reply = replies[index]
        const direction = wishes[index]?.inverse ? 'quote_to_base' : 'base_to_quote'
        const quote = quoteExactIn({ reserves: pool, direction, amountIn: units(reply?.amount_in), fees: FEES })
        expect(units(reply?.amount_out)).toBe(quote?.amountOut)
        pool = quote?.reservesAfter as typeof pool
      }
      expect(await reservesOf(world.server)).toEqual(pool)
    })

    test('spend the same balance once', async () => {
      const amount = await world.invited.available('BNB')
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => trySwap(world.server, world.invited, { amount })),
      )
      expect(replies.map((reply) => reply.code).sort()).toEqual([1, ...Array.from({ length: 9 }, () => 20001)])
      expect(await world.invited.available('BNB')).toBe('0')
    })
  })
}
