import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { newKey, startTestServer, type TestServer, type TestUser } from '@clearwell/server/src/testing/server.ts'
import { newTrader } from '@clearwell/server/src/testing/traders.ts'
import { canShareLedger, openSharedLedger, type SharedLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { afterEach, expect, test } from 'vitest'
import { startServerProcess } from './server-process.ts'

const OWNERS = 3
/** As many as an account may have. */
const SCHEDULES_EACH = 50
const PLAN = {
  pool_id: 'bnb-usdt',
  inverse: 0,
  amount: '0.0165',
  kind: 'schedule',
  every: 'day',
  hour: 5,
  slippage: '0.03',
} as const

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A ledger with due schedules of a few owners, new for each try. No server runs on it. */
async function openWithSchedules(): Promise<{ ledger: SharedLedger; owners: TestUser[] }> {
  const ledger = await openSharedLedger()
  ends.push(ledger.end)
  const first = await startTestServer(ledger.variablesFor('first'))
  ends.push(first.destroy)
  const owners: TestUser[] = []
  for (let count = 0; count < OWNERS; count++) owners.push(await newTrader(first))
  for (const { token } of owners)
    for (let made = 0; made < SCHEDULES_EACH; made++) await first.ok('createPlan', PLAN, { token, key: newKey() })
  // A new leader knows no row of them, so it finds the moment that the test draws for all.
  await first.stop()
  return { ledger, owners }
}

interface Run {
  readonly plan_id: string
  readonly status: string
  readonly reason: string | null
  readonly swap_id: string | null
}

const runsIn = ({ db }: TestServer) =>
  db.query<Run>('select plan_id, status, reason, swap_id from plan_runs order by plan_id')

const SLOW_RUNS = `
  create function slow_run() returns trigger language plpgsql as $$ begin perform pg_sleep(0.1); return new; end $$;
  create trigger slow_run before insert on plan_runs for each row execute function slow_run()`

test.runIf(canShareLedger)(
  'a leader killed among due schedules leaves each to be made once',
  async () => {
    const { ledger, owners } = await openWithSchedules()
    const leader = await startServerProcess(ledger.variablesFor('leader'), ends)
    const survivor = await startTestServer(ledger.variablesFor('survivor'))
    ends.push(survivor.destroy)
    // Each run takes a tenth of a second, so that the kill comes among them on a busy machine, too.
    await survivor.db.script(SLOW_RUNS)
    await survivor.db.query("update plans set next_run_at = now() - interval '1 second'")

    await expect.poll(async () => (await runsIn(survivor)).length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0)
    await leader.kill()
    const left = OWNERS * SCHEDULES_EACH - (await runsIn(survivor)).length
    expect(left, 'schedules that the leader left').toBeGreaterThan(0)
    await survivor.db.script('drop trigger slow_run on plan_runs')

    const active = "select count(*)::integer as count from plans where status = 'active' and next_run_at > now()"
    await expect
      .poll(async () => (await survivor.db.query<{ count: number }>(active))[0]?.count, { timeout: 60_000 })
      .toBe(OWNERS * SCHEDULES_EACH)
    const runs = await runsIn(survivor)
    expect(runs.filter(({ status }) => status !== 'made')).toEqual([])
    expect(runs).toHaveLength(OWNERS * SCHEDULES_EACH)
    expect(new Set(runs.map(({ plan_id }) => plan_id)).size).toBe(OWNERS * SCHEDULES_EACH)
    const swaps = await survivor.db.query<{ id: string }>('select id from swap_orders order by id')
    expect(swaps.map(({ id }) => id)).toEqual(runs.map(({ swap_id }) => swap_id).sort())
    for (const { token } of owners) {
      const balances = await survivor.ok('balances', {}, { token })
      expect(balances.find(({ asset }) => asset === 'BNB')).toMatchObject({ available: '1.175' })
    }
    await expectBooksBalanced(survivor.db)
  },
  120_000,
)
