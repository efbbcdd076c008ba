import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectBooksBalanced } from '@clearwell/ledger/testing'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../../chain/anvil.ts'
import { controlChain, expectCustodyExact, localConfigFile } from '../../chain/testing.ts'
import { newKey, startTestServer, type TestServer } from '../../testing.ts'

/** Two servers need a database that takes more than one process. */
const isPossible = process.env.TEST_DATABASE === 'postgres'

let anvil: Anvil
let writing: TestServer
let other: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let folder: string
beforeAll(async () => {
  if (!isPossible) return
  file = await localConfigFile(({ chain }) => Object.assign(chain, { pollMs: 3_600_000 }))
  folder = await mkdtemp(join(tmpdir(), 'clearwell-two-servers-'))
  anvil = await startAnvil({ folder: join(folder, 'anvil'), port: 0, chainId: 31337 })
  const shared = { CONFIG_FILE: file.path, CHAIN_RPC_URL: anvil.rpcUrl }
  writing = await startTestServer({ ...shared, DATA_DIR: join(folder, 'writing') })
  const deployment = 'chain/deployment.json'
  await mkdir(join(folder, 'other/chain'), { recursive: true })
  await copyFile(join(folder, 'writing', deployment), join(folder, 'other', deployment))
  const DATABASE_URL = writing.config.env.databaseUrl
  other = await startTestServer({ ...shared, DATA_DIR: join(folder, 'other'), DATABASE_URL })
}, 60_000)
afterAll(async () => {
  await other?.destroy()
  await writing?.destroy()
  await anvil?.stop()
  await file?.remove()
  if (folder) await rm(folder, { recursive: true, force: true })
})

test.runIf(isPossible)(
  'of two servers on one ledger one signs; the other hands on to it, signs nothing, and goes on when the first is gone',
  async () => {
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

    // Killed between the lock and the signature, as far as the ledger can tell.
    const lost = await writing.ok('sell', payload, { token, key: newKey() })
    await other.db.query(`update withdrawal_orders set status = 'locked', signature = null where id = $1`, [
      lost.order_id,
    ])
    await writing.stop()
    // The other takes over and goes on with what was left.
    const items = async () => (await other.ok('sellOrders', {}, { token })).items
    await expect.poll(items, { timeout: 15_000 }).toEqual([lost, order])
    const listed = await items()
    expect(await other.ok('sell', payload, { token, key })).toEqual(order)
    const control = controlChain({ rpcUrl: anvil.rpcUrl, chainId: 31337 })
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
