import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
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
import { canShareLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { encodeFunctionData, type Hex, parseEther } from 'viem'
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterEach, expect, test, vi } from 'vitest'
import { startPostgres, type ThrowawayPostgres } from '../../scripts/postgres.ts'

/** Follows docs/recipes/restore-a-backup.md: two real databases, one chain that does not go back. */
const RECIPE = 'restore-a-backup'
const OWNER = mnemonicToAccount('test test test test test test test test test test test junk')
const NEW_KEY = `0x${'6'.repeat(64)}` as const
/** The hash that the page shows. */
const EXAMPLE = `0x${'0'.repeat(63)}1`

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
}, 60_000)

/** The shell commands of the page, one text for each block. */
async function shellBlocks(): Promise<string[]> {
  const page = await readFile(join(import.meta.dirname, `../../docs/recipes/${RECIPE}.md`), 'utf8')
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
}

async function archivingPostgres(archive: string): Promise<ThrowawayPostgres> {
  const page = await readFile(join(import.meta.dirname, `../../docs/recipes/${RECIPE}.md`), 'utf8')
  const [, command = ''] = /^archive_command = '(.*)'$/m.exec(page) ?? []
  const settings = {
    archive_mode: 'on',
    archive_command: command.replaceAll('$ARCHIVE', archive),
    wal_level: 'replica',
  }
  const postgres = await startPostgres({ fsync: false, settings: { ...settings, full_page_writes: 'on' } })
  ends.push(postgres.stop)
  return postgres
}

async function startChain(folder: string) {
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

/** Runs the shell commands of the page's step 1 or 3. */
async function runShell(text: string, variables: Record<string, string>): Promise<void> {
  await promisify(execFile)('bash', ['-euc', text], { env: { ...process.env, ...variables } })
}

/** Ends the present file of the log, and waits until it is archived. */
async function switchLog({ db }: TestServer, archive: string): Promise<void> {
  const [row] = await db.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment')
  const segment = row?.segment
  await vi.waitFor(async () => expect(await readdir(archive)).toContain(segment), { timeout: 20_000, interval: 50 })
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

test.runIf(canShareLedger)(
  'the runbook of a restore ends with exact books',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clearwell-restore-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    // PostgreSQL runs as another user where this runs as root.
    await chmod(folder, 0o777)
    const paths = {
      ARCHIVE: join(folder, 'archive'),
      BACKUP: join(folder, 'backup'),
      RESTORED: join(folder, 'restored'),
    }
    await runShell('mkdir "$ARCHIVE" && chmod 777 "$ARCHIVE"', paths)
    const [takeBackup = '', restore = ''] = await shellBlocks()
    const before = await archivingPostgres(paths.ARCHIVE)
    const chain = await startChain(folder)
    const variables = (database: string, name: string) => {
      const shared = { CONFIG_FILE: chain.file.path, CHAIN_RPC_URL: chain.rpcUrl }
      return { ...shared, DATABASE_URL: database, DATA_DIR: join(folder, name) }
    }
    const first = await startTestServer(variables(before.url, 'first'))
    ends.push(first.stop)
    const PATH = `${before.binaries}:${process.env.PATH}`
    const lived = await live(first, chain, () => runShell(takeBackup, { ...paths, PATH, DATABASE_URL: before.url }))
    await switchLog(first, paths.ARCHIVE)
    await first.stop()
    await before.stop()

    // Steps 2 to 4.
    await setSigner(first, chain)
    const lost = { to: lived.unsubmitted.to as Hex, data: lived.unsubmitted.calldata as Hex }
    expect((await send(chain, lived.ben.account, lost)).status).toBe('reverted')
    await runShell(restore, { ...paths, MOMENT: lived.moment })
    const { password } = new URL(before.url)
    const after = await startPostgres({ fsync: false, copyOf: { data: paths.RESTORED, password } })
    ends.push(after.stop)
    const environment = { ...variables(after.url, 'second'), SIGNER_KEY: NEW_KEY }
    const server = await startTestServer(environment)
    ends.push(server.stop)
    await settleDown(server, chain)
    const stopped = await server.call('sell', { asset: 'USDT', amount: '5' }, { token: lived.ann.token, key: newKey() })
    expect(stopped).toMatchObject({ code: 20005, data: { reason: 'insolvent' } })

    // Step 5, for each transaction of the list.
    const operator = (args: readonly string[]) =>
      runInEnvironment({ PROFILE: 'local', CHAIN_PORT: '0', ...environment }, args)
    const [list = [], dryRun = [], settle = [], ...checks] = commandsOf(RECIPE)
    const { code, stdout } = await operator(list)
    expect([
      code,
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ]).toEqual([1, [lived.ofAnn, lived.ofCat]])
    const named = (args: readonly string[], hash: string) => args.map((word) => (word === EXAMPLE ? hash : word))
    expect((await operator(named(dryRun, lived.ofAnn))).stdout).toMatch(
      /^Dry run, nothing was changed[\s\S]*payout_settlement {2}user:0x\w+:available {2}-70 USDT, then 100 USDT/,
    )
    expect((await operator(named(settle, lived.ofAnn))).stdout).toContain('is booked: 70 USDT from the account.')
    expect((await operator(named(dryRun, lived.ofCat))).stderr).toContain('0.8 BNB for')
    await send(chain, OWNER, { to: server.custody.vault, value: parseEther('1') })
    await settleDown(server, chain)
    expect((await operator(named(settle, lived.ofCat))).stdout).toContain('is booked: 0.8 BNB from treasury.')

    // Step 6.
    await settleDown(server, chain)
    const results = []
    for (const args of checks) results.push(await operator(args))
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(checks.map(() => [0, '']))
    const token = { token: lived.ann.token }
    const { items: log } = await server.ok('logs', {}, token)
    expect(log[0]).toMatchObject({ kind: 'payout_settlement', asset: 'USDT', amount: '-70' })
    const { items: notices } = await server.ok('notices', {}, token)
    expect(notices[0]).toMatchObject({ kind: 'payout_settled', params: { amount: '70', taken: '70', covered: '0' } })
    await payOut(server, chain, lived.ann, 'USDT', '10')
    const balances = await server.ok('balances', {}, token)
    expect(balances.find(({ asset }) => asset === 'USDT')).toMatchObject({ available: '90', locked: '0' })
    await expectBooksBalanced(server.db)
    await expectCustodyExact(server)
  },
  120_000,
)
