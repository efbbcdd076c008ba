import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { type CommandResult, runInEnvironment } from './testing/run-in-environment.ts'

/** A command can run beside a server only on a database that more than one process can open. */
const isBeside = process.env.TEST_DATABASE === 'postgres'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterAll(() => server.destroy())

/** Runs a command as the operator would: beside the server on PostgreSQL, after stopping it on PGlite. */
async function operator(...args: string[]): Promise<CommandResult> {
  if (!isBeside) await server.stop()
  return runCommand(args)
}

function runCommand(args: readonly string[]): Promise<CommandResult> {
  const { env } = server.config
  const variables = {
    PROFILE: 'local',
    DATA_DIR: env.dataDir,
    CHAIN_PORT: '0',
    DATABASE_URL: env.databaseUrl ?? '',
  }
  return runInEnvironment(variables, args)
}

/** Returns the server that still runs, or a restarted one. */
async function serving(): Promise<TestServer> {
  if (!isBeside) server = await server.restart()
  return server
}

test('the pools command suspends and resumes a pool and keeps history', async () => {
  expect((await operator('pools')).stdout).toBe(
    'bnb-usdt  trades\neth-usdt  trades\nrt-usdt  trades\n\nNo pool has ever been suspended.\n',
  )
  const suspend = ['pools', 'suspend', 'eth-usdt', '--reason', 'the token moves']
  const dryRun = 'Dry run, nothing was changed. With --execute:\neth-usdt is suspended.\n'
  expect(await runCommand(suspend)).toEqual({ code: 0, stdout: dryRun, stderr: '' })
  expect((await runCommand(['pools'])).stdout).toMatch(/^eth-usdt {2}trades$/m)
  const suspended = await runCommand([...suspend, '--execute'])
  expect(suspended).toEqual({ code: 0, stdout: 'eth-usdt is suspended.\n', stderr: '' })
  const now = await serving()
  const pair = (await now.ok('pairs', {})).find((each) => each.id === 'eth-usdt')
  expect(pair).toMatchObject({ suspended: true, suspended_reason: 'operator', suspended_at: expect.any(String) })
  const quote = await now.call('getQuote', { pool_id: 'eth-usdt', amount: '1', inverse: 0 })
  expect(quote).toMatchObject({ code: 20005, data: { reason: 'operator' } })

  const again = await operator('pools', 'suspend', 'eth-usdt', '--reason', 'twice', '--execute')
  expect(again).toMatchObject({ code: 0, stdout: 'eth-usdt was already suspended: nothing changed.\n' })
  const listed = (await runCommand(['pools'])).stdout
  expect(listed).toMatch(/^eth-usdt {2}suspended by the operator since \S+Z \(operator\)$/m)
  expect(listed).toMatch(/^\S+Z {2}eth-usdt {2}suspended {2}operator: the token moves$/m)
  expect(listed).not.toContain('twice')

  const resume = ['pools', 'resume', 'eth-usdt', '--reason', 'the token has moved', '--json']
  for (const executed of [false, true]) {
    const { code, stdout } = await runCommand(executed ? [...resume, '--execute'] : resume)
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      executed,
      pool: 'eth-usdt',
      kind: 'resumed',
      outcome: 'changed',
    })
  }
  const { pools, events } = JSON.parse((await runCommand(['pools', '--json'])).stdout)
  expect(pools).toHaveLength(3)
  expect(events.map((event: { kind: string; by: string }) => `${event.kind} ${event.by}`).slice(-2)).toEqual([
    'resumed operator',
    'suspended operator',
  ])
  const after = await serving()
  expect((await after.ok('pairs', {})).map((each) => each.suspended)).toEqual([false, false, false])
  await expectBooksBalanced(after.db)
  expect(after.errors.filter(({ doing }) => doing !== 'pools')).toEqual([])
}, 120_000)

test('pools reports an unknown pool and stores no request', async () => {
  expect(await operator('pools', 'suspend', 'doge-usdt', '--reason', 'x', '--execute')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no pool "doge-usdt".\n',
  })
}, 60_000)

test('an invalid argument prints the usage', async () => {
  for (const args of [
    ['pools', 'suspend'],
    ['pools', 'suspend', 'eth-usdt'],
    ['pools', 'suspend', 'eth-usdt', 'x'],
    ['pools', 'suspend', 'eth-usdt', '--reason', '\u001b[2J'],
    ['pools', 'suspend', 'eth-usdt', '--reason', 'x'.repeat(501)],
    ['pools', 'resume'],
    ['pools', 'resume', 'eth-usdt'],
    ['pools', 'pause', 'eth-usdt', '--reason', 'x'],
    ['pools', 'resume', 'eth-usdt', '--reason', 'x', '--force'],
    ['pools', '--execute'],
    ['audit', 'everything'],
  ]) {
    const { code, stdout, stderr } = await runCommand(args)
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
    expect(stderr).toContain(
      'npm run operator -- pools [suspend | resume <id> --reason <text> [--execute] | open <id> ',
    )
  }
}, 60_000)

describe.skipIf(!isBeside)('on PostgreSQL', () => {
  test('the leader executes a pool request and keeps its lease', async () => {
    const fence = async () => (await server.db.query<{ fence: bigint }>('select fence from writer_lease'))[0]?.fence
    const before = await fence()
    server.errors.length = 0
    expect(await runCommand(['pools', 'suspend', 'rt-usdt', '--reason', 'x', '--execute'])).toMatchObject({ code: 0 })
    expect(await fence()).toBe(before)
    expect(server.errors).toEqual([])
    const user = await server.newUser()
    await user.transferIn('USDT', '20')
    await user.activateByBalance()
  }, 60_000)

  test('the command executes its request and releases the lease without a server', async () => {
    await server.stop()
    expect(await runCommand(['pools', 'suspend', 'bnb-usdt', '--reason', 'x', '--execute'])).toMatchObject({
      code: 0,
      stdout: 'bnb-usdt is suspended.\n',
    })
    const db = await openPostgresDatabase(server.config.env.databaseUrl ?? '', { maxConnections: 1 })
    const [lease] = await db.query('select holder from writer_lease')
    const [request] = await db.query("select done_at from pool_requests where pool_id = 'bnb-usdt'")
    await db.close()
    expect(lease).toEqual({ holder: null })
    expect(request).toEqual({ done_at: expect.any(Date) })
  }, 60_000)
})
