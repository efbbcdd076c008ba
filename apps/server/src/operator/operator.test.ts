import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { parseEther } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stakeConfig } from '../domain/lending/stake-config.ts'
import { localConfigFile } from '../platform/chain/testing/local-chain.ts'
import type { TestUser } from '../testing/server.ts'
import { isBeside, shareOperatorWorld } from './testing/operator-world.ts'
import type { CommandResult } from './testing/run-in-environment.ts'
import { testPools, testPoolsWithoutServer } from './testing/test-pools.ts'
import { testRules } from './testing/test-rules.ts'
import { testRunbooks } from './testing/test-runbooks.ts'

const OPERATOR = join(import.meta.dirname, '../operator.ts')

const world = shareOperatorWorld()
let user: TestUser
beforeAll(async () => {
  const { server } = world
  user = await server.newUser()
  await user.transferIn('USDT', '1000')
  await user.transferIn('BNB', '5')
  await user.activateByBalance()
  const deadline = new Date(Date.now() + 600_000).toISOString()
  const order = { pool_id: 'rt-usdt', amount: '10', inverse: 1, min_amount_out: '0', deadline } as const
  await server.ok('doSwap', order, { token: user.token })
  await server.ok('sell', { asset: 'BNB', amount: '1.25' }, { token: user.token })
})
beforeEach(world.resume)

/** Runs a command as npm does, in a process. */
function runProcess(args: readonly string[]): Promise<CommandResult> {
  const env = { ...process.env, ...world.variables() }
  return new Promise((resolve) => {
    // PGlite runs for one second: optimizing its code costs more time than it saves.
    execFile(process.execPath, ['--liftoff-only', OPERATOR, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })
}

test('reconcile lists every class and exits with 0 when nothing is missing', async () => {
  await expectBooksBalanced(world.server.db)
  const balances = await world.server.db.query<{ account: string; asset: string; units: bigint }>(
    'select account, asset, units from balances',
  )
  const { code, stdout, stderr } = await world.operator('reconcile', '--json')
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
  const { code, stdout } = await world.operator('reconcile')
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
  await world.server.db.query(
    "insert into borrowers (id, user_id, asset, debt_shares, open_orders) select 'USDT:0x1', id, 'USDT', 5, 1 from users limit 1",
  )
  const { code, stderr } = await world.operator('reconcile')
  const fault = 'the borrower USDT:0x1 has 5 debt shares in 1 orders, and the orders add up to 0 in 0'
  expect({ code, stderr }).toEqual({ code: 1, stderr: `${fault}\n` })
  await world.resume()
  await world.server.db.query("delete from borrowers where id = 'USDT:0x1'")
}, 60_000)

test('reconcile reports an unreachable node without its address', async () => {
  await world.pause()
  const { code, stdout, stderr } = await world.run(['reconcile'], { CHAIN_RPC_URL_CHECK: 'http://127.0.0.1:9/key' })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trimEnd().split('\n')).toEqual([
    'the node at CHAIN_RPC_URL_CHECK does not respond',
    expect.stringMatching(/^The chain cannot be read: the node did not answer \([\w ]+\)$/),
  ])
}, 60_000)

test('audit and breaker report no faults; unknown commands print the usage', async () => {
  await world.pause()
  const audit = await runProcess(['audit'])
  expect(audit).toMatchObject({ code: 0, stderr: '' })
  expect(audit.stdout).toMatch(/^\d+ entries read, 0 faults\n$/)
  expect(await world.run(['audit', '--since', '2999-01-01'])).toMatchObject({
    code: 0,
    stdout: '0 entries read, 0 faults\n',
  })
  expect(await world.run(['breaker'])).toMatchObject({
    code: 0,
    stdout: 'No breaker is open: swaps and withdrawals continue.\n\nNo breaker has ever been open.\n',
  })
  for (const args of [[], ['constructor'], ['audit', '--xml'], ['audit', '--since', 'soon']]) {
    const { code, stderr } = await world.run(args)
    expect(code).toBe(2)
    expect(stderr).toContain('npm run operator -- reconcile: ')
  }
}, 60_000)

test.skipIf(!isBeside)(
  'reconcile lists unconfirmed deposits separately beside a running server',
  async () => {
    const order = await world.server.ok('buy', { asset: 'BNB', amount: '2' }, { token: user.token })
    await user.pay('BNB', order)
    const { code, stdout } = await world.run(['reconcile', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ lag: '1', unconfirmed: { in: { count: 1, units: { BNB: '2' } } } })
  },
  60_000,
)

describe('pools', () => testPools(world))

describe('rules', () => testRules(world))

test('lending announces parameters, which a running server shows', async () => {
  const ltv = { initialBps: 5_000, warningBps: 5_500, lastWarningBps: 5_800, liquidationBps: 6_200 }
  const file = await localConfigFile((config) =>
    Object.assign(config, { stake: { ...stakeConfig.shape.stake.parse(undefined), ltv } }),
  )
  await world.pause()
  const announce = ['lending', 'announce', '--reason', 'calmer limits', '--execute']
  const { stdout, stderr } = await world.run(announce, { CONFIG_FILE: file.path })
  await file.remove()
  expect(stdout + stderr).toMatch(/^The parameters take effect at /)
  await world.resume()
  // A server that runs meanwhile reads announcements every five seconds.
  await world.server.ok('localAdvance', { seconds: 6 })
  expect(await world.server.ok('stakeParameters', {})).toMatchObject({
    now: { ltv_liquidation: '0.83' },
    announced: [{ ltv_liquidation: '0.62' }],
  })
  expect((await world.server.ok('config', {})).announced).toMatchObject([{ id: 'lending-2', rule: 'lending' }])
}, 60_000)

describe('the runbooks', () => testRunbooks(world))

// The vault stays short.
test('reconcile exits with 1 on a shortfall and breaker shows the reason', async () => {
  const vault = world.server.custody.vault
  const held = await world.control.client.getBalance({ address: vault })
  await world.control.client.setBalance({ address: vault, value: held - 3n })
  await world.control.mine(1)
  await world.server.watcher.poll()
  await world.server.solvency.check()
  const { code, stdout, stderr } = await world.operator('reconcile')
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'BNB: 3 base units are missing\n' })
  const listed = await world.operator('alarms', '--json')
  const { alarms } = JSON.parse(listed.stdout) as { alarms: { [name: string]: string }[] }
  const texts = alarms.map(({ kind, severity, count, message }) => `${severity} ${kind} ${count}: ${message}`)
  // The runbook of the watcher has raised the second one.
  const raised = [/^critical insolvent 1: .*0\.000000000000000003 BNB missing/, /^critical watcher_halted \d+: ./]
  for (const alarm of raised) expect(texts).toContainEqual(expect.stringMatching(alarm))
  // Once a minute the server lists what still stands, and may have done so since.
  const standing = /^critical insolvent \d+: the solvency breaker is open/
  expect(texts.filter((text) => ![...raised, standing].some((known) => known.test(text)))).toEqual([])
  expect(listed.code).toBe(1)
  expect(stdout).toContain('-0.000000000000000003')
  expect(stdout.trimEnd().endsWith('The books do not balance.')).toBe(true)

  const open = await world.run(['breaker'])
  expect(open.code).toBe(1)
  expect(open.stdout).toMatch(/^solvency has been open since .*\(insolvent\): 0\.000000000000000003 BNB missing: /)
  expect(open.stdout).toMatch(/Z {2}solvency {2}stopped {3}0\.000000000000000003 BNB missing/)
  const { events } = JSON.parse((await world.run(['breaker', '--json'])).stdout)
  expect(events).toMatchObject([{ breaker: 'solvency', kind: 'stopped', reason: 'insolvent' }])
}, 60_000)

describe('pools', () => testPoolsWithoutServer(world))
