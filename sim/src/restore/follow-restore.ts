import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { runInEnvironment } from '@clearwell/server/src/operator/testing/run-in-environment.ts'
import { commandsOf } from '@clearwell/server/src/operator/testing/runbook.ts'
import { startAnvil } from '@clearwell/server/src/platform/chain/anvil.ts'
import {
  controlChain,
  expectCustodyExact,
  localConfigFile,
} from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { newKey, startTestServer, type TestServer, type TestUser } from '@clearwell/server/src/testing/server.ts'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { encodeFunctionData, type Hex, parseEther } from 'viem'
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { expect } from 'vitest'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { Ends } from '../drills/drill.ts'
import { type BackupTools, RECIPE } from './backup-tools.ts'
import { untilPromoted } from './until-promoted.ts'

const OWNER = mnemonicToAccount('test test test test test test test test test test test junk')
const NEW_KEY = `0x${'6'.repeat(64)}` as const
/** The hash that the page shows. */
const EXAMPLE = `0x${'0'.repeat(63)}1`

async function startChain(folder: string, ends: Ends) {
  const file = await localConfigFile((config) => Object.assign(config.chain, { pollMs: 3_600_000 }))
  ends.push(file.remove)
  const anvil = await startAnvil({ folder: join(folder, 'anvil'), port: 0, chainId: 31337 })
  ends.push(anvil.stop)
  return { file, rpcUrl: anvil.rpcUrl, control: controlChain({ rpcUrl: anvil.rpcUrl, chainId: 31337 }) }
}

type Chain = Awaited<ReturnType<typeof startChain>>

/** Sends a transaction of any account, and waits until it is mined. @returns its hash and whether it succeeded. */
async function send(
  { control }: Chain,
  account: TestUser['account'] | typeof OWNER,
  call: { to: Hex; data?: Hex; value?: bigint },
) {
  const wallet = control.wallet(account)
  const hash = await wallet.sendTransaction({ ...call, gas: 500_000n, account, chain: wallet.chain })
  return { hash, status: (await control.receipt(hash)).status }
}

/** Orders a transfer out, and submits its voucher. @returns the transaction's hash. */
async function payOut(server: TestServer, chain: Chain, user: TestUser, asset: 'BNB' | 'USDT', amount: string) {
  const order = await server.ok('sell', { asset, amount }, { token: user.token, key: newKey() })
  const { hash, status } = await send(chain, user.account, { to: order.to as Hex, data: order.calldata as Hex })
  expect(status).toBe('success')
  await server.watcher.poll()
  return hash
}

/** Buys BNB after the moment, so that a restored ledger knows of none. */
async function buyBnb(server: TestServer, user: TestUser, usdt: string): Promise<void> {
  const [pool] = await server.ok('pairs', {})
  const deadline = new Date(Date.now() + 600_000).toISOString()
  const payload = { pool_id: pool?.id ?? '', amount: usdt, inverse: 1, min_amount_out: '0.1', deadline } as const
  await server.ok('doSwap', payload, { token: user.token, key: newKey() })
}

async function setSigner(server: TestServer, chain: Chain): Promise<void> {
  const args = [privateKeyToAddress(NEW_KEY)] as const
  const data = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'setSigner', args })
  expect((await send(chain, OWNER, { to: server.custody.vault, data })).status).toBe('success')
}

/** Reads up to the head, and checks solvency at two blocks, as time does. */
async function settleDown(server: TestServer, { control }: Chain): Promise<void> {
  for (let look = 0; look < 2; look++) {
    await control.mine(2)
    await server.watcher.poll()
    await server.solvency.check()
  }
}

/** Everything that happens before the database is lost. Ends with that database. */
async function live(server: TestServer, chain: Chain, takeBackup: () => Promise<void>) {
  const [ann, ben, cat] = [await server.newUser(), await server.newUser(), await server.newUser()]
  await ann.transferIn('USDT', '200')
  await takeBackup()
  await ben.transferIn('USDT', '100')
  await cat.transferIn('USDT', '1010')
  await cat.activateByBalance()
  await payOut(server, chain, ann, 'USDT', '30')
  const [time] = await server.db.query<{ moment: string }>('select clock_timestamp()::text as moment')

  // Lost by the restore: two payouts, a swap, a voucher that is not submitted yet, and a deposit.
  const ofAnn = await payOut(server, chain, ann, 'USDT', '70')
  await buyBnb(server, cat, '900')
  const ofCat = await payOut(server, chain, cat, 'BNB', '0.8')
  const unsubmitted = await server.ok('sell', { asset: 'USDT', amount: '60' }, { token: ben.token, key: newKey() })
  await ben.transferIn('USDT', '25')
  return { ann, ben, ofAnn, ofCat, unsubmitted, moment: time?.moment ?? '' }
}

/**
 * Follows docs/recipes/restore-a-backup.md: two real databases, one chain that does not go back.
 *
 * @param prepare the tools that back up and restore.
 */
export async function followRestore(prepare: (folder: string) => Promise<BackupTools>, ends: Ends): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-restore-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL runs as another user where this runs as root.
  await chmod(folder, 0o777)
  const tools = await prepare(folder)
  const before = await startPostgres({ fsync: false, settings: tools.settings })
  ends.push(before.stop)
  const chain = await startChain(folder, ends)
  const variables = (database: string, name: string) => {
    const shared = { CONFIG_FILE: chain.file.path, CHAIN_RPC_URL: chain.rpcUrl }
    return { ...shared, DATABASE_URL: database, DATA_DIR: join(folder, name) }
  }
  const first = await startTestServer(variables(before.url, 'first'))
  ends.push(first.stop)
  const lived = await live(first, chain, () => tools.backUp(before))
  await tools.archive(before)
  await first.stop()
  await before.stop()

  // Steps 2 to 4.
  await setSigner(first, chain)
  const lost = { to: lived.unsubmitted.to as Hex, data: lived.unsubmitted.calldata as Hex }
  expect((await send(chain, lived.ben.account, lost)).status).toBe('reverted')
  const { password } = new URL(before.url)
  const dataIn = { data: await tools.restore(lived.moment), password }
  const after = await startPostgres({ fsync: false, settings: tools.settings, dataIn })
  ends.push(after.stop)
  await untilPromoted(after.url)
  const environment = { ...variables(after.url, 'second'), SIGNER_KEY: NEW_KEY }
  const server = await startTestServer(environment)
  ends.push(server.stop)
  await settleDown(server, chain)
  const stopped = await server.call('sell', { asset: 'USDT', amount: '5' }, { token: lived.ann.token, key: newKey() })
  expect(stopped).toMatchObject({ code: 20005, data: { reason: 'insolvent' } })
  await bookPayouts(server, chain, environment, lived)
  await tools.backUpAgain(after)
}

type Lived = Awaited<ReturnType<typeof live>>

/** Steps 5 and 6, for each transaction of the list. */
async function bookPayouts(
  server: TestServer,
  chain: Chain,
  environment: Record<string, string>,
  { ann, ofAnn, ofCat }: Lived,
): Promise<void> {
  const operator = (args: readonly string[]) =>
    runInEnvironment({ PROFILE: 'local', CHAIN_PORT: '0', ...environment }, args)
  // This site has no bookkeeper: step 4 is followed by bookkeeper/src/restore-drill.test.ts.
  const commands = commandsOf(RECIPE).filter(([name]) => name !== 'restore-from-bookkeeper')
  const [list = [], dryRun = [], settle = [], ...checks] = commands
  const { code, stdout } = await operator(list)
  const hashes = stdout.trim().split('\n')
  expect([code, hashes.map((line) => line.split(' ')[0])]).toEqual([1, [ofAnn, ofCat]])
  const named = (args: readonly string[], hash: string) => args.map((word) => (word === EXAMPLE ? hash : word))
  expect((await operator(named(dryRun, ofAnn))).stdout).toMatch(
    /^Dry run, nothing was changed[\s\S]*payout_settlement {2}user:0x\w+:available {2}-70 USDT, then 100 USDT/,
  )
  expect((await operator(named(settle, ofAnn))).stdout).toContain('is booked: 70 USDT from the account.')
  expect((await operator(named(dryRun, ofCat))).stderr).toContain('0.8 BNB for')
  await send(chain, OWNER, { to: server.custody.vault, value: parseEther('1') })
  await settleDown(server, chain)
  expect((await operator(named(settle, ofCat))).stdout).toContain('is booked: 0.8 BNB from treasury.')

  await settleDown(server, chain)
  const results = []
  for (const args of checks) results.push(await operator(args))
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(checks.map(() => [0, '']))
  const token = { token: ann.token }
  const { items: log } = await server.ok('logs', {}, token)
  expect(log[0]).toMatchObject({ kind: 'payout_settlement', asset: 'USDT', amount: '-70' })
  const { items: notices } = await server.ok('notices', {}, token)
  expect(notices[0]).toMatchObject({ kind: 'payout_settled', params: { amount: '70', taken: '70', covered: '0' } })
  await payOut(server, chain, ann, 'USDT', '10')
  const balances = await server.ok('balances', {}, token)
  expect(balances.find(({ asset }) => asset === 'USDT')).toMatchObject({ available: '90', locked: '0' })
  await expectBooksBalanced(server.db)
  await expectCustodyExact(server)
}
