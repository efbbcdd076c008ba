import type { ResponseOf } from '@clearwell/api/routes'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { encodeFunctionData, type Hex } from 'viem'
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlChain, localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'

type Order = ResponseOf<'sell'>

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
beforeAll(async () => {
  file = await localConfigFile(({ chain }) => Object.assign(chain, { pollMs: 3_600_000 }))
  server = await startTestServer({ CONFIG_FILE: file.path })
}, 60_000)
afterAll(() => endExact(server, { file }))

async function restart(changes?: NodeJS.ProcessEnv): Promise<void> {
  expect(server.errors).toEqual([])
  server = await server.restart(changes)
}

/** Creates a user with 3 BNB. The tests keep only the session token: the chain has another port after a restart. */
async function funded(): Promise<TestUser> {
  const user = await server.newUser()
  await user.transferIn('BNB', '3')
  return user
}

async function submitAndPoll({ account }: TestUser, { to, calldata }: Order): Promise<void> {
  const control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
  const wallet = control.wallet(account)
  const call = { to: to as Hex, data: calldata as Hex, gas: 500_000n, account, chain: wallet.chain }
  expect((await control.receipt(await wallet.sendTransaction(call))).status).toBe('success')
  await server.watcher.poll()
}

const sell = (user: TestUser, key: string) =>
  server.ok('sell', { asset: 'BNB', amount: '1' }, { token: user.token, key })
const orders = async (user: TestUser) => (await server.ok('sellOrders', {}, { token: user.token })).items
async function bnbOf(user: TestUser) {
  const found = (await server.ok('balances', {}, { token: user.token })).find((each) => each.asset === 'BNB')
  return { available: found?.available, locked: found?.locked }
}

/** Simulates a crash after the lock: an order without a signature, unknown to the signer. */
async function forgetSignature(orderId: string): Promise<void> {
  await server.db.query(`update withdrawal_orders set status = 'locked', signature = null where id = $1`, [orderId])
  await server.db.query('alter table signed_vouchers disable trigger signed_vouchers_append_only')
  await server.db.query('delete from signed_vouchers')
  await server.db.query('alter table signed_vouchers enable trigger signed_vouchers_append_only')
}

test('a voucher is the same after a restart and pays', async () => {
  const user = await funded()
  const key = newKey()
  const order = await sell(user, key)
  await restart()
  expect(await sell(user, key)).toEqual(order)
  expect(await orders(user)).toEqual([order])
  await submitAndPoll(user, order)
  expect((await orders(user))[0]).toMatchObject({ status: 'completed', voucher: null })
  expect(await bnbOf(user)).toEqual({ available: '2', locked: '0' })
})

test('the next start signs orders that an earlier process left locked', async () => {
  const user = await funded()
  const order = await sell(user, newKey())
  await forgetSignature(order.order_id)
  await restart()
  const rows = await server.db.query('select status, signature from withdrawal_orders where id = $1', [order.order_id])
  expect(rows).toEqual([{ status: 'signed', signature: order.signature }])
  await submitAndPoll(user, (await orders(user))[0] as Order)
  expect(await bnbOf(user)).toEqual({ available: '2', locked: '0' })
})

test('vouchers of a replaced signer are signed again and pay', async () => {
  const user = await funded()
  const before = await sell(user, newKey())
  const key = `0x${'6'.repeat(64)}` as const
  const owner = mnemonicToAccount('test test test test test test test test test test test junk')
  const control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
  const wallet = control.wallet(owner)
  const to = server.custody.vault
  const args = [privateKeyToAddress(key)] as const
  const data = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'setSigner', args })
  await control.receipt(await wallet.sendTransaction({ to, data, account: owner, chain: wallet.chain }))
  await server.ok('localAdvance', { seconds: 10 })
  expect((await orders(user))[0]).toMatchObject({ order_id: before.order_id, status: 'locked', calldata: null })
  await restart({ SIGNER_KEY: key })
  const [after] = await orders(user)
  expect(after).toMatchObject({ status: 'signed', voucher: before.voucher })
  expect(after?.signature).not.toBe(before.signature)
  await submitAndPoll(user, after as Order)
  expect((await orders(user))[0]).toMatchObject({ status: 'completed' })
  expect(await bnbOf(user)).toEqual({ available: '2', locked: '0' })
})
