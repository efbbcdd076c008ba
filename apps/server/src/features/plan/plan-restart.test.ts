import type { Database } from '@clearwell/ledger/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { newTrader } from '../../testing/traders.ts'

/** The fate of the next batch that makes a run: it fails before its commit, or the connection breaks after it. */
let fate: 'fine' | 'before' | 'after' = 'fine'
let broken = 0

function breakRuns(db: Database): Database {
  return {
    kind: db.kind,
    script: (text) => db.script(text),
    close: () => db.close(),
    transaction: (work) => db.transaction(work),
    query: (text, params) => db.query(text, params),
    async commitInOrder(statements) {
      const hasRun = statements.some(({ text }) => text.includes('insert into plan_runs'))
      const now = hasRun ? fate : 'fine'
      if (hasRun) fate = 'fine'
      if (now !== 'fine') broken += 1
      if (now !== 'before') await db.commitInOrder(statements)
      if (now !== 'fine') throw new Error('Connection terminated unexpectedly')
    },
  }
}

let server: TestServer
let owner: TestUser
beforeAll(async () => {
  server = await startTestServer({}, { watchDatabase: breakRuns })
  owner = await newTrader(server)
}, 60_000)
// The writer reports the broken connections.
afterAll(() => endExact(server, { mayReport: true }))

const plan = { pool_id: 'bnb-usdt', inverse: 0, amount: '0.1' } as const
const asOwner = () => ({ token: owner.token, key: newKey() })
const runsOf = async (plan_id: string) =>
  (await server.ok('planRuns', { plan_id }, { token: owner.token })).items.map(({ status, amount_in }) => [
    status,
    amount_in,
  ])
/** The user's own helper calls the server before the restart. */
const heldBnb = async () =>
  Number((await server.ok('balances', {}, { token: owner.token })).find(({ asset }) => asset === 'BNB')?.available)
const statusOf = async (planId: string) =>
  (await server.ok('plans', {}, { token: owner.token })).items.find(({ plan_id }) => plan_id === planId)?.status

test.each(['before', 'after'] as const)(
  'a leader that dies %s the commit makes each run once',
  async (when) => {
    const { plan_id } = await server.ok(
      'createPlan',
      { ...plan, kind: 'schedule', every: 'week', hour: 5, slippage: '0.03' },
      asOwner(),
    )
    const held = await heldBnb()
    const brokenBefore = broken
    fate = when
    await server.ok('localAdvance', { seconds: 86_400 }).catch(() => undefined)
    expect(broken - brokenBefore).toBe(1)
    server = await server.restart()
    await server.ok('localAdvance', { seconds: 5 })
    expect(await runsOf(plan_id)).toEqual([['made', '0.1']])
    expect(held - (await heldBnb())).toBeCloseTo(0.1)
    expect(await statusOf(plan_id)).toBe('active')
    await server.ok('cancelPlan', { plan_id }, asOwner())
  },
  120_000,
)

test.each(['before', 'after'] as const)(
  'a limit is made once when its leader dies %s the commit',
  async (when) => {
    const held = await heldBnb()
    fate = when
    const options = asOwner()
    const wish = {
      ...plan,
      kind: 'limit',
      price: '100',
      ends_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    } as const
    const { plan_id } = await server.ok('createPlan', wish, options)
    server = await server.restart()
    await server.ok('localAdvance', { seconds: 5 })
    expect(await statusOf(plan_id)).toBe('done')
    expect(await runsOf(plan_id)).toEqual([['made', '0.1']])
    expect(held - (await heldBnb())).toBeCloseTo(0.1)
    expect(await server.ok('createPlan', wish, options)).toMatchObject({ plan_id })
    expect(await runsOf(plan_id)).toHaveLength(1)
  },
  120_000,
)
