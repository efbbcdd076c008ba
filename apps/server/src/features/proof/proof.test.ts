import { readTip } from '@clearwell/ledger/reads'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlChain, localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { endExact, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let control: ReturnType<typeof controlChain>
let user: TestUser
beforeAll(async () => {
  // Only the tests check and read blocks.
  file = await localConfigFile((config) => {
    config.chain.pollMs = 3_600_000
    config.solvency = { everyMs: 600_000, maxAgeMs: 1_200_000 }
  })
  server = await startTestServer({ CONFIG_FILE: file.path })
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
  user = await server.newUser()
  await user.transferIn('BNB', '5')
}, 60_000)
afterAll(() => endExact(server, { file, mayReport: true }))

const vault = () => server.custody.vault
const setHeld = (value: bigint) => control.client.setBalance({ address: vault(), value })
async function nextBlock(): Promise<void> {
  await control.mine(1)
  await server.watcher.poll()
}

async function reserves() {
  await server.solvency.check()
  return server.ok('proofReserves', {})
}
const bnbOf = ({ assets }: Awaited<ReturnType<typeof reserves>>) => assets.find(({ asset }) => asset === 'BNB')

test('the vault holds what is owed, at one block and entry', async () => {
  const found = await reserves()
  const tip = await readTip(server.db)
  expect(found).toMatchObject({
    assets: [
      { asset: 'BNB', vault: '5005', owed: '5005', difference: '0' },
      { asset: 'USDT', difference: '0' },
      { asset: 'ETH', difference: '0' },
    ],
    ledger_seq: Number(tip.seq),
    entry_hash: Buffer.from(tip.hash).toString('hex'),
    healthy: true,
    fault: null,
  })
  const block = await control.client.getBlock({ blockNumber: BigInt(found.block_number ?? -1) })
  expect(found).toMatchObject({
    block_hash: block.hash,
    block_time: new Date(Number(block.timestamp) * 1_000).toISOString(),
  })
})

test('stays at zero with an unread deposit and an executed voucher', async () => {
  await user.pay('BNB', await server.ok('buy', { asset: 'BNB', amount: '1' }, { token: user.token }))
  const before = await reserves()
  expect(bnbOf(before)).toEqual({ asset: 'BNB', vault: '5005', owed: '5005', difference: '0' })
  await server.watcher.poll()
  expect(bnbOf(await reserves())).toMatchObject({ vault: '5006', owed: '5006' })

  const order = await server.ok('sell', { asset: 'BNB', amount: '2' }, { token: user.token })
  const wallet = control.wallet(user.account)
  const call = { to: order.to as Hex, data: order.calldata as Hex, account: user.account, chain: wallet.chain }
  await control.receipt(await wallet.sendTransaction(call))
  expect(bnbOf(await reserves())).toMatchObject({ vault: '5006', owed: '5006', difference: '0' })
  await server.watcher.poll()
  const after = await reserves()
  expect(bnbOf(after)).toMatchObject({ vault: '5004', owed: '5004', difference: '0' })
  expect(after.block_number).toBeGreaterThan(before.block_number ?? 0)
  expect(after.ledger_seq).toBeGreaterThan(before.ledger_seq ?? 0)
})

test('reports a missing unit, a surplus, and the recovery', async () => {
  const all = await control.client.getBalance({ address: vault() })
  for (const [held, difference, healthy] of [
    [all - 1n, '-0.000000000000000001', false],
    [all + 3n, '0.000000000000000003', true],
    [all, '0', true],
  ] as const) {
    await setHeld(held)
    await nextBlock()
    const found = await reserves()
    expect(bnbOf(found)?.difference).toBe(difference)
    expect(found).toMatchObject({ healthy, fault: healthy ? null : 'missing' })
  }
})
