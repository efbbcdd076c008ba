import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlChain } from '../../platform/chain/testing/local-chain.ts'
import { newKey, type TestServer } from '../../testing/server.ts'
import { canShareLedger, startTwoServers, type TwoServers } from '../../testing/two-servers.ts'

let servers: TwoServers
beforeAll(async () => {
  if (canShareLedger) servers = await startTwoServers(({ chain }) => Object.assign(chain, { confirmations: 5 }))
}, 60_000)
afterAll(() => servers?.end())

test.runIf(canShareLedger)(
  'both servers show the same unconfirmed payments',
  async () => {
    const { writing, other, rpcUrl } = servers
    const user = await writing.newUser()
    const { token, account } = user
    const control = controlChain({ rpcUrl, chainId: 31337 })
    /** Reads every list of payments, on both servers. */
    const lists = async () => {
      const read = async (server: TestServer) => ({
        buy: (await server.ok('buyOrders', {}, { token })).items[0]?.status,
        sell: (await server.ok('sellOrders', {}, { token })).items[0]?.status,
        active: (await server.ok('getActiveStatus', {}, { token })).order?.status,
        transactions: (await server.ok('transactions', {}, { token })).items,
      })
      const [first, second] = [await read(writing), await read(other)]
      expect(second).toEqual(first)
      return { ...first, transactions: first.transactions.map(({ status }) => status) }
    }
    const confirm = async () => {
      await control.mine(writing.config.chain.confirmations)
      await writing.watcher.poll()
    }
    await user.pay('BNB', await writing.ok('buy', { asset: 'BNB', amount: '2' }, { token }))
    const activation = await writing.ok('active', {}, { token })
    await user.pay(activation.asset as 'USDT', activation)
    expect(await lists()).toMatchObject({ buy: 'created', active: 'created', transactions: [] })
    await writing.watcher.poll()
    await other.watcher.poll()
    expect(await lists()).toMatchObject({ buy: 'seen', active: 'seen', transactions: ['pending', 'pending'] })
    await confirm()
    expect(await lists()).toMatchObject({ buy: 'credited', transactions: ['confirmed', 'confirmed'] })

    const { to, calldata } = await writing.ok('sell', { asset: 'BNB', amount: '1' }, { token, key: newKey() })
    const wallet = control.wallet(account)
    const call = { to: to as Hex, data: calldata as Hex, account, chain: wallet.chain }
    await control.receipt(await wallet.sendTransaction(call))
    expect(await lists()).toMatchObject({ sell: 'signed' })
    await writing.watcher.poll()
    expect(await lists()).toMatchObject({ sell: 'submitted', transactions: ['pending', 'confirmed', 'confirmed'] })
    await confirm()
    expect(await lists()).toMatchObject({ sell: 'completed', transactions: ['confirmed', 'confirmed', 'confirmed'] })
    expect(await other.db.query('select 1 from pending_movements')).toEqual([])

    // A follower shows the leader's last comparison with the vault.
    await writing.solvency.check()
    const { age_seconds: _age, ...proof } = await writing.ok('proofReserves', {})
    expect(proof).toMatchObject({ healthy: true, block_number: expect.any(Number) })
    expect(await other.ok('proofReserves', {})).toMatchObject(proof)
    await expectBooksBalanced(writing.db)
  },
  30_000,
)
