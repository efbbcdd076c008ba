import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { NotReady, Writer } from '@clearwell/ledger/writer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { members } from '../../domain/members/members.ts'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { RT_PROGRAM, userAccount } from '../../platform/ledger/accounts.ts'
import { createRt } from '../../platform/ledger/genesis.ts'
import { findHubFaults } from './check-hub.ts'
import { linkUid } from './link-uid.ts'
import { depositRt } from './move-rt.ts'
import { releaseDaily } from './release-job.ts'
import { requestUpgrade } from './request-upgrade.ts'
import { richConfig, richRules } from './rich.config.ts'

const E18 = 10n ** 18n
const DAY_MS = 86_400_000
const RULES = richRules({ rich: richConfig.shape.rich.parse(undefined) })
const USERS = ['a', 'b', 'c'].map((letter) => `0x${letter.repeat(40)}`)

let db: Database
let writer: Writer
/** Noon in Hong Kong. */
let nowMs = Date.parse('2026-11-23T04:00:00Z')
const clock = { now: () => new Date(nowMs) }

beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  let ids = 0
  writer = await Writer.open({
    db,
    clock,
    randomId: () => String(++ids).padStart(32, '0'),
    holder: 'test',
    leaseTtlMs: 60_000,
    exclusive: true,
  })
  await writer.execute(createRt({ total: 100_000_000n * E18, program: 30_000_000n * E18 }))
  for (const [index, userId] of USERS.entries()) await join(userId, index)
})
afterAll(async () => {
  await writer?.close()
  await db?.close()
})

/** Gives a user star level 1. */
async function join(userId: string, index: number): Promise<void> {
  await db.query(`insert into users (id, invite_code, nickname, created_at) values ($1, $1, '', $2)`, [
    userId,
    clock.now(),
  ])
  const postings = [
    { account: 'treasury', asset: 'RT', units: -100n * E18 },
    { account: userAccount(userId, 'available'), asset: 'RT', units: 100n * E18 },
  ]
  await writer.execute({
    kind: 'gift',
    owner: 'test',
    payload: {},
    preload: [],
    decide: () => ({
      entries: [{ kind: 'gift', reference: userId, postings }],
      rows: [{ table: members, row: { id: userId, activated_at: clock.now(), activation_order_id: null } }],
      response: {},
    }),
  })
  await writer.execute(linkUid(RULES, { userId, parentId: null, uid: `10000${index}`, name: userId, key: undefined }))
  await writer.execute(depositRt(RULES, { userId, units: 100n * E18, key: undefined }))
  await writer.execute(requestUpgrade(RULES, { userId, parentId: null, key: undefined }))
}

/** The leader's jobs. The leader dies at one call of the database, before it or after it. */
function leader(dieAt: number, isDone: boolean) {
  let calls = 0
  const reach = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    calls += 1
    if (calls > dieAt || (calls === dieAt && !isDone)) throw new NotReady('this server is dead')
    const result = await run()
    if (calls === dieAt) throw new NotReady('this server is dead')
    return result
  }
  const dying: Database = {
    ...db,
    query: (text, params) => reach(() => db.query(text, params)),
    transaction: (work) => reach(() => db.transaction(work)),
  }
  const jobs = createJobs({
    db: dying,
    clock,
    isLeader: () => true,
    onError: (error) => {
      throw error
    },
  })
  jobs.add([
    releaseDaily(RULES, {
      execute: (command) => reach(() => writer.execute(command)),
    }),
  ])
  return { jobs, hasDied: () => calls >= dieAt }
}

const released = () =>
  db.query<{ id: string; released: bigint; remaining: bigint }>(
    'select id, released, remaining from rich_releases order by id',
  )
const programUnits = async () =>
  (await db.query<{ units: bigint }>(`select units from balances where account = $1`, [RT_PROGRAM]))[0]?.units

test.each([
  ['before', false],
  ['after', true],
])('a leader that dies %s any call releases each day once', async (_when, isDone) => {
  const { jobs } = leader(Number.POSITIVE_INFINITY, false)
  await jobs.runDue()
  const known = (await released()).length
  let days = 0
  for (let dieAt = 1, isOver = false; !isOver; dieAt++) {
    // Two days were missed.
    nowMs += 2 * DAY_MS
    days += 2
    const dying = leader(dieAt, isDone)
    await dying.jobs.runDue().catch((error: unknown) => {
      if (!(error instanceof NotReady)) throw error
    })
    isOver = !dying.hasDied()
    await leader(Number.POSITIVE_INFINITY, false).jobs.runDue()
    const rows = await released()
    expect(rows.length - known, `died at call ${dieAt}`).toBe(days)
    // Each release starts from the balance that the one before it left.
    for (const [index, { remaining }] of rows.entries())
      expect(remaining).toBe(index === 0 ? 30_000_000n * E18 : rows[index - 1]!.remaining - rows[index - 1]!.released)
    expect(await programUnits()).toBe(rows.at(-1)!.remaining - rows.at(-1)!.released)
  }
  expect(days).toBeGreaterThan(12)
  expect(await findHubFaults(db)).toEqual([])
  await expectBooksBalanced(db)
})
