import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { expect, test } from 'vitest'
import { isBeside, type OperatorWorld } from './operator-world.ts'

/** Tests the pools command on the server of the operator's tests. No pool was suspended before. */
export function testPools(world: OperatorWorld): void {
  test('the pools command suspends and resumes a pool and keeps history', async () => {
    expect((await world.operator('pools')).stdout).toBe(
      'bnb-usdt  trades\neth-usdt  trades\nrt-usdt  trades\n\nNo pool has ever been suspended.\n',
    )
    const suspend = ['pools', 'suspend', 'eth-usdt', '--reason', 'the token moves']
    const dryRun = 'Dry run, nothing was changed. With --execute:\neth-usdt is suspended.\n'
    expect(await world.run(suspend)).toEqual({ code: 0, stdout: dryRun, stderr: '' })
    expect((await world.run(['pools'])).stdout).toMatch(/^eth-usdt {2}trades$/m)
    const suspended = await world.run([...suspend, '--execute'])
    expect(suspended).toEqual({ code: 0, stdout: 'eth-usdt is suspended.\n', stderr: '' })
    await world.resume()
    const now = world.server
    const pair = (await now.ok('pairs', {})).find((each) => each.id === 'eth-usdt')
    expect(pair).toMatchObject({ suspended: true, suspended_reason: 'operator', suspended_at: expect.any(String) })
    const quote = await now.call('getQuote', { pool_id: 'eth-usdt', amount: '1', inverse: 0 })
    expect(quote).toMatchObject({ code: 20005, data: { reason: 'operator' } })

    const again = await world.operator('pools', 'suspend', 'eth-usdt', '--reason', 'twice', '--execute')
    expect(again).toMatchObject({ code: 0, stdout: 'eth-usdt was already suspended: nothing changed.\n' })
    const listed = (await world.run(['pools'])).stdout
    expect(listed).toMatch(/^eth-usdt {2}suspended by the operator since \S+Z \(operator\)$/m)
    expect(listed).toMatch(/^\S+Z {2}eth-usdt {2}suspended {2}operator: the token moves$/m)
    expect(listed).not.toContain('twice')

    const resume = ['pools', 'resume', 'eth-usdt', '--reason', 'the token has moved', '--json']
    for (const executed of [false, true]) {
      const { code, stdout } = await world.run(executed ? [...resume, '--execute'] : resume)
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, executed, result: 'eth-usdt is resumed.' })
    }
    const { pools, events } = JSON.parse((await world.run(['pools', '--json'])).stdout)
    expect(pools).toHaveLength(3)
    expect(events.map((event: { kind: string; by: string }) => `${event.kind} ${event.by}`).slice(-2)).toEqual([
      'resumed operator',
      'suspended operator',
    ])
    await world.resume()
    const after = world.server
    expect((await after.ok('pairs', {})).map((each) => each.suspended)).toEqual([false, false, false])
    await expectBooksBalanced(after.db)
    expect(after.errors).toEqual([])
  }, 120_000)

  test('pools reports an unknown pool and stores no request', async () => {
    expect(await world.operator('pools', 'suspend', 'doge-usdt', '--reason', 'x', '--execute')).toEqual({
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
      const { code, stdout, stderr } = await world.run(args)
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
      expect(stderr).toContain(
        'npm run operator -- pools [suspend | resume <id> --reason <text> [--execute] | open <id> ',
      )
    }
  }, 60_000)

  test.runIf(isBeside)(
    'the leader executes a pool request and keeps its lease',
    async () => {
      const { server } = world
      const fence = async () => (await server.db.query<{ fence: bigint }>('select fence from writer_lease'))[0]?.fence
      const before = await fence()
      expect(server.errors).toEqual([])
      expect(await world.run(['pools', 'suspend', 'rt-usdt', '--reason', 'x', '--execute'])).toMatchObject({ code: 0 })
      expect(await fence()).toBe(before)
      expect(server.errors).toEqual([])
      const user = await server.newUser()
      await user.transferIn('USDT', '20')
      await user.activateByBalance()
    },
    60_000,
  )
}

/** Tests the pools command without a server. It stops the server, so it comes last. */
export function testPoolsWithoutServer(world: OperatorWorld): void {
  test.runIf(isBeside)(
    'the command executes its request and releases the lease without a server',
    async () => {
      const { server, run } = world
      await server.stop()
      expect(await run(['pools', 'suspend', 'bnb-usdt', '--reason', 'x', '--execute'])).toMatchObject({
        code: 0,
        stdout: 'bnb-usdt is suspended.\n',
      })
      const db = await openPostgresDatabase(server.config.env.databaseUrl ?? '', { maxConnections: 1 })
      const [lease] = await db.query('select holder from writer_lease')
      const [request] = await db.query('select done_at, outcome from operator_requests order by asked_at desc limit 1')
      await db.close()
      expect(lease).toEqual({ holder: null })
      expect(request).toEqual({ done_at: expect.any(Date), outcome: 'done' })
    },
    60_000,
  )
}
