import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newMember } from '../../testing/new-member.ts'
import { newKey, type TestServer, type TestUser } from '../../testing/server.ts'
import { canShareLedger, startTwoServers, type TwoServers } from '../../testing/two-servers.ts'

let servers: TwoServers
beforeAll(async () => {
  if (canShareLedger) servers = await startTwoServers()
}, 60_000)
afterAll(() => servers?.end())

test.runIf(canShareLedger)(
  'of two liquidators on two servers one wins, also after a takeover',
  async () => {
    const { writing, other } = servers
    const pledger = await newMember(writing, { USDT: '3000' })
    await writing.ok('pledge', { asset: 'USDT', amount: '3000' }, { token: pledger.token, key: newKey() })
    const borrower = await newMember(writing, { BNB: '2' })
    const [first, second] = [await newMember(writing, { USDT: '800' }), await newMember(writing, { USDT: '800' })]
    const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const
    const borrow = async () => {
      // The simulated price moves on, so a loan at the very limit of 600 would sometimes be refused.
      await writing.ok('localPrice', { symbol: 'BNBUSDT', price: '601' })
      const amounts = { collateral_amount: '1', borrow_amount: '390' }
      return (await writing.ok('lend', { ...terms, ...amounts }, { token: borrower.token, key: newKey() })).order_id
    }
    const [orderId, laterId] = [await borrow(), await borrow()]
    await writing.ok('localPrice', { symbol: 'BNBUSDT', price: '460' })
    const liquidate = (server: TestServer, { token }: TestUser, id: string, key = newKey()) =>
      server.call('liquidate', { order_id: id, max_debt: '400' }, { token, key })

    const keys = [newKey(), newKey()] as const
    const race = await Promise.all([
      liquidate(writing, first, orderId, keys[0]),
      liquidate(other, second, orderId, keys[1]),
    ])
    expect(race.map(({ code }) => code).toSorted()).toEqual([1, 20010])
    const wonBy = race[0].code === 1 ? 0 : 1
    const [winner, loser] = wonBy === 0 ? [first, second] : [second, first]
    expect(await loser.available('USDT')).toBe('800')
    // A retry on the other server returns the same response.
    const again = await liquidate(wonBy === 0 ? other : writing, winner, orderId, keys[wonBy])
    expect(again.data).toEqual(race[wonBy].data)

    await writing.stop()
    const token = loser.token
    const taken = async () => (await liquidate(other, loser, orderId)).code
    await expect.poll(taken, { timeout: 15_000 }).toBe(20010)
    const { data } = await other.call('liquidationReceipt', { order_id: orderId }, { token: winner.token })
    expect(data.items[0]?.side).toBe('liquidator')
    await other.ok('localPrice', { symbol: 'BNBUSDT', price: '460' })
    expect((await liquidate(other, loser, laterId)).code).toBe(1)
    expect((await other.call('liquidationReceipt', { order_id: laterId }, { token })).data.items[0]?.side).toBe(
      'liquidator',
    )
    await expectBooksBalanced(other.db)
  },
  60_000,
)
