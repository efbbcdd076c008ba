import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { controlChain, localConfigFile } from '../platform/chain/testing/local-chain.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/server.ts'
import { type CommandResult, runInEnvironment } from './testing/run-in-environment.ts'

const OPERATOR = join(import.meta.dirname, '../operator.ts')
/** A command can run beside a server only on a database that more than one process can open. */
const isBeside = process.env.TEST_DATABASE === 'postgres'

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let control: ReturnType<typeof controlChain>
let user: TestUser

let isStopped = false

beforeAll(async () => {
  file = await localConfigFile((config) => Object.assign(config.chain, { pollMs: 3_600_000 }))
  server = await startTestServer({ CONFIG_FILE: file.path })
  connect()
  user = await server.newUser()
  await user.transferIn('USDT', '1000')
  await user.transferIn('BNB', '5')
  await user.activateByBalance()
  const deadline = new Date(Date.now() + 600_000).toISOString()
  const order = { pool_id: 'rt-usdt', amount: '10', inverse: 1, min_amount_out: '0', deadline } as const
  await server.ok('doSwap', order, { token: user.token })
  await server.ok('sell', { asset: 'BNB', amount: '1.25' }, { token: user.token })
}, 60_000)
beforeEach(resumeServer, 60_000)
afterAll(async () => {
  await server.destroy()
  await file.remove()
})

function connect(): void {
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
}

async function resumeServer(): Promise<void> {
  if (!isStopped) return
  server = await server.restart()
  isStopped = false
  connect()
}

/** Stops the server on PGlite. The next test starts it again. */
async function makeRoomForCommand(): Promise<void> {
  if (isBeside || isStopped) return
  await server.stop()
  isStopped = true
}

/** Runs a command as the operator would: beside the server on PostgreSQL, after stopping it on PGlite. */
async function operator(...args: string[]): Promise<CommandResult> {
  await makeRoomForCommand()
  return runCommand(args)
}

function variables(): Record<string, string> {
  const { env } = server.config
  return {
    PROFILE: 'local',
    DATA_DIR: env.dataDir,
    CONFIG_FILE: file.path,
    CHAIN_PORT: '0',
    DATABASE_URL: env.databaseUrl ?? '',
    CHAIN_RPC_URL: isBeside ? server.rpcUrl : '',
  }
}

function runCommand(args: readonly string[], more: Record<string, string> = {}): Promise<CommandResult> {
  return runInEnvironment({ ...variables(), ...more }, args)
}

/** Runs a command as npm does, in a process. */
function runProcess(args: readonly string[]): Promise<CommandResult> {
  const env = { ...process.env, ...variables() }
  return new Promise((resolve) => {
    // PGlite runs for one second: optimizing its code costs more time than it saves.
    execFile(process.execPath, ['--liftoff-only', OPERATOR, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })
}

test('reconcile lists every class and exits with 0 when nothing is missing', async () => {
  await expectBooksBalanced(server.db)
  const balances = await server.db.query<{ account: string; asset: string; units: bigint }>(
    'select account, asset, units from balances',
  )
  const { code, stdout, stderr } = await operator('reconcile', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const report = JSON.parse(stdout)
  const none = { BNB: '0', USDT: '0', ETH: '0', RT: '0' }
  expect(report).toMatchObject({
    difference: none,
    postings: none,
    faults: [],
    open_vouchers: { count: 1, units: { ...none, BNB: '1.25' } },
    unconfirmed: { in: { count: 0 }, out: { count: 0 } },
    paid_without_order: { count: 0 },
    vault: { RT: '100000000' },
    lag: '0',
  })
  expect(report.vault).toEqual(report.ledger.sum)
  expect(report.ledger.classes['users locked']).toEqual({ ...none, BNB: '1.25' })
  // Each account is in one class.
  for (const asset of ['BNB', 'USDT', 'ETH', 'RT']) {
    const classes = Object.values(report.ledger.classes as Record<string, Record<string, string>>)
    const inClasses = classes.reduce((sum, units) => sum + parseEther(units[asset] ?? ''), 0n)
    const inAccounts = balances
      .filter((row) => row.asset === asset && row.account !== 'vault')
      .reduce((sum, row) => sum + row.units, 0n)
    expect(inClasses).toBe(inAccounts)
    expect(inAccounts).toBeGreaterThan(0n)
  }
}, 60_000)

test('reconcile aligns decimal points in its text output', async () => {
  const { code, stdout } = await operator('reconcile')
  expect(code).toBe(0)
  expect(stdout).toContain('Postings sum to zero: yes.')
  expect(stdout.trimEnd().endsWith('Nothing is missing, to the unit.')).toBe(true)
  const lines = stdout.split('\n')
  const columnOf = (text: string) => lines.find((line) => line.startsWith('users available'))?.indexOf(text)
  // 3.75 BNB are left, and the pool's 5000 have their last digit above the 3.
  const pool = lines.find((line) => line.startsWith('pool bnb-usdt'))
  expect(pool?.[columnOf('3.75') ?? 0]).toBe('0')
  expect(pool?.slice((columnOf('3.75') ?? 0) - 3, (columnOf('3.75') ?? 0) + 1)).toBe('5000')
}, 60_000)

test('reconcile runs the audits of the features', async () => {
  await server.db.query(
    "insert into borrowers (id, user_id, asset, debt_shares, open_orders) select 'USDT:0x1', id, 'USDT', 5, 1 from users limit 1",
  )
  const { code, stderr } = await operator('reconcile')
  const fault = 'the borrower USDT:0x1 has 5 debt shares in 1 orders, and the orders add up to 0 in 0'
  expect({ code, stderr }).toEqual({ code: 1, stderr: `${fault}\n` })
  await resumeServer()
  await server.db.query("delete from borrowers where id = 'USDT:0x1'")
}, 60_000)

test('reconcile reports an unreachable node without its address', async () => {
  await makeRoomForCommand()
  const { code, stdout, stderr } = await runCommand(['reconcile'], { CHAIN_RPC_URL_CHECK: 'http://127.0.0.1:9/key' })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trimEnd().split('\n')).toEqual([
    'the node at CHAIN_RPC_URL_CHECK does not answer',
    expect.stringMatching(/^The chain cannot be read: the node did not answer \([\w ]+\)$/),
  ])
}, 60_000)

test('audit and breaker report no faults; unknown commands print the usage', async () => {
  await makeRoomForCommand()
  const audit = await runProcess(['audit'])
  expect(audit).toMatchObject({ code: 0, stderr: '' })
  expect(audit.stdout).toMatch(/^\d+ entries read, 0 faults\n$/)
  expect(await runCommand(['breaker'])).toMatchObject({
    code: 0,
    stdout: 'No breaker is open: swaps and withdrawals continue.\n\nNo breaker has ever been open.\n',
  })
  for (const args of [[], ['constructor'], ['audit', '--xml']]) {
    const { code, stderr } = await runCommand(args)
    expect(code).toBe(2)
    expect(stderr).toContain('npm run operator -- reconcile: ')
  }
}, 60_000)

test.skipIf(!isBeside)(
  'reconcile lists unconfirmed deposits separately beside a running server',
  async () => {
    const order = await server.ok('buy', { asset: 'BNB', amount: '2' }, { token: user.token })
    await user.pay('BNB', order)
    const { code, stdout } = await runCommand(['reconcile', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ lag: '1', unconfirmed: { in: { count: 1, units: { BNB: '2' } } } })
  },
  60_000,
)

// Last: the vault stays short.
test('reconcile exits with 1 on a shortfall and breaker shows the reason', async () => {
  const vault = server.custody.vault
  const held = await control.client.getBalance({ address: vault })
  await control.client.setBalance({ address: vault, value: held - 3n })
  await control.mine(1)
  await server.watcher.poll()
  await server.solvency.check()
  const { code, stdout, stderr } = await operator('reconcile')
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'BNB: 3 base units are missing\n' })
  const listed = await operator('alarms', '--json')
  expect(JSON.parse(listed.stdout).alarms).toEqual([
    expect.objectContaining({ kind: 'insolvent', severity: 'critical', count: '1', message: expect.any(String) }),
  ])
  expect(listed.code).toBe(1)
  expect(stdout).toContain('-0.000000000000000003')
  expect(stdout.trimEnd().endsWith('The books do not balance.')).toBe(true)

  const open = await runCommand(['breaker'])
  expect(open.code).toBe(1)
  expect(open.stdout).toMatch(/^solvency has been open since .*\(insolvent\): 0\.000000000000000003 BNB missing: /)
  expect(open.stdout).toMatch(/Z {2}solvency {2}stopped {3}0\.000000000000000003 BNB missing/)
  const { events } = JSON.parse((await runCommand(['breaker', '--json'])).stdout)
  expect(events).toMatchObject([{ breaker: 'solvency', kind: 'stopped', reason: 'insolvent' }])
}, 60_000)
