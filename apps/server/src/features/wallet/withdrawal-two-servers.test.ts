import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlChain, expectCustodyExact } from '../../platform/chain/testing/local-chain.ts'
import { newKey } from '../../testing/server.ts'
import { canShareLedger, startTwoServers, type TwoServers } from '../../testing/two-servers.ts'

let servers: TwoServers
beforeAll(async () => {
  if (canShareLedger) servers = await startTwoServers()
}, 60_000)
afterAll(() => servers?.end())

test.runIf(canShareLedger)(
  'only the leader signs; a follower forwards to it, then takes over',
  async () => {
    const { writing, other, rpcUrl } = servers
    const user = await writing.newUser()
    await user.transferIn('BNB', '5')
    const { token, account } = user
    const payload = { asset: 'BNB', amount: '1' } as const
    const key = newKey()
    const order = await writing.ok('sell', payload, { token, key })
    expect((await other.ok('sellOrders', {}, { token })).items).toEqual([order])
    expect(await other.ok('sell', payload, { token, key })).toEqual(order)
    await other.watcher.poll()
    expect(await other.db.query('select 1 from signed_vouchers')).toHaveLength(1)

    // Looks like a crash between the lock and the signature in the ledger.
    const lost = await writing.ok('sell', payload, { token, key: newKey() })
    await other.db.query(`update withdrawal_orders set status = 'locked', signature = null where id = $1`, [
      lost.order_id,
    ])
    await writing.stop()
    // The other server takes over and settles the order.
    const items = async () => (await other.ok('sellOrders', {}, { token })).items
    await expect.poll(items, { timeout: 15_000 }).toEqual([lost, order])
    const listed = await items()
    expect(await other.ok('sell', payload, { token, key })).toEqual(order)
    const control = controlChain({ rpcUrl, chainId: 31337 })
    const wallet = control.wallet(account)
    for (const { to, calldata } of listed) {
      const call = { to: to as Hex, data: calldata as Hex, account, chain: wallet.chain }
      expect((await control.receipt(await wallet.sendTransaction(call))).status).toBe('success')
    }
    await other.watcher.poll()
    expect((await other.ok('sellOrders', {}, { token })).items).toMatchObject([
      { order_id: lost.order_id, status: 'completed' },
      { order_id: order.order_id, status: 'completed' },
    ])
    await expectBooksBalanced(other.db)
    await expectCustodyExact(other)
  },
  60_000,
)
