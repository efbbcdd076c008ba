import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from './load-config.ts'
import { MIGRATION_FOLDERS } from './platform/database/open-database.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import { retentionJobs } from './platform/retention/retention-jobs.ts'
import { KEPT_ROWS, TABLES } from './tables.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-11-22T00:00:00Z')
const USER = `0x${'a'.repeat(40)}`
const daysAgo = (days: number) => new Date(NOW_MS - days * DAY_MS)

let db: Database
let nowMs: number
let restedMs: number[]
beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  nowMs = NOW_MS
  restedMs = []
})
afterEach(async () => {
  await expectBooksBalanced(db)
  await db.close()
})

/** Runs all jobs of retention once, as of {@link NOW_MS}. */
async function runRetention(): Promise<void> {
  const errors: unknown[] = []
  const jobs = createJobs({
    db,
    clock: { now: () => new Date(nowMs) },
    isLeader: () => true,
    onError: (error) => errors.push(error),
  })
  jobs.add(
    retentionJobs({
      tables: TABLES,
      kept: KEPT_ROWS,
      config: await loadConfig({}),
      rest: async (ms) => restedMs.push(ms),
    }),
  )
  nowMs = NOW_MS - DAY_MS
  await jobs.runDue()
  nowMs = NOW_MS
  await jobs.runDue()
  expect(errors).toEqual([])
}

const idsOf = async (table: string, column = 'id') =>
  (await db.query<{ id: string }>(`select ${column}::text as id from ${table} order by 1`)).map(({ id }) => id)

async function addUser(): Promise<void> {
  await db.query(`insert into users values ($1, 'AAAAAAAA', null, '', $2)`, [USER, daysAgo(1_000)])
}

/** Types of PostgreSQL that one kind of column stands for. */
const SAME_KIND: Readonly<Record<string, string>> = {
  smallint: 'integer',
  jsonb: 'json',
  'timestamp with time zone': 'timestamptz',
}

test('every table is described with the columns of its migration', async () => {
  const columns = await db.query<{ table: string; name: string; type: string; is_required: boolean }>(
    `select relname as table, attname as name, regexp_replace(format_type(atttypid, atttypmod), '\\(.*\\)', '') as type,
       attnotnull as is_required
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  )
  const stored = columns.map(
    ({ table, name, type, is_required }) =>
      `${table}.${name}: ${SAME_KIND[type] ?? type}${is_required ? '' : ' or null'}`,
  )
  const described = TABLES.flatMap((table) =>
    Object.entries(table.kinds).map(
      ([name, { sql, isOptional }]) => `${table.name}.${name}: ${sql}${isOptional ? ' or null' : ''}`,
    ),
  )
  expect(described.toSorted()).toEqual(stored.toSorted())
})

test('responses to old keys are deleted, except those of operators', async () => {
  await db.query(
    `insert into command_outcomes (owner, key, kind, payload_hash, outcome, at)
     select owner, key, 'swap', '', outcome::json, at from (values
       ($1, 'old', '{"ok":1}', $2::timestamptz), ($1, 'old-refused', '{"refusal":"x"}', $2),
       ($1, 'young', '{"ok":1}', $3), ('operator', 'old', '{"ok":1}', $2)
     ) as added (owner, key, outcome, at)`,
    [USER, daysAgo(31), daysAgo(29)],
  )
  await runRetention()
  expect(await idsOf('command_outcomes', "owner || ' ' || key")).toEqual([`${USER} young`, 'operator old'].toSorted())
})

test('expired sessions are deleted, except where a device receives alerts through them', async () => {
  await addUser()
  await db.query(
    `insert into sessions (token_hash, user_id, created_at, last_used_at, revoked_at) values
       ('expired', $1, $2, $2, null), ('expired-device', $1, $2, $2, null), ('open', $1, $2, $3, null),
       ('signed-out', $1, $2, $2, $2)`,
    [USER, daysAgo(60), daysAgo(1)],
  )
  await db.query(
    `insert into push_subscriptions select hash, '', $1, hash, '', '', 'en', $2
     from unnest(array['expired-device', 'signed-out']) as hash`,
    [USER, daysAgo(60)],
  )
  await runRetention()
  expect(await idsOf('sessions', 'token_hash')).toEqual(['expired-device', 'open'])
  expect(await idsOf('push_subscriptions')).toEqual(['expired-device'])
})

test("expired unpaid orders are deleted, except an open activation's", async () => {
  await db.query(
    `insert into deposit_orders (id, user_id, purpose, asset, amount, credited, created_at, expires_at)
     select id, $1, 'transfer_in', 'USDT', 5, credited, $2, expires_at from (values
       ('unpaid', 0, $2::timestamptz), ('paid', 5, $2), ('recent', 0, $3), ('activation', 0, $2)
     ) as added (id, credited, expires_at)`,
    [USER, daysAgo(91), daysAgo(89)],
  )
  await db.query(`insert into members (id, activation_order_id) values ($1, 'activation')`, [USER])
  await runRetention()
  expect(await idsOf('deposit_orders')).toEqual(['activation', 'paid', 'recent'])
})

test('old alerts are deleted unless they wait', async () => {
  await addUser()
  await db.query(
    `insert into alerts (id, user_id, symbol, direction, price_e18, status, created_at, delivered_at, seen_e18)
     select id, $1, 'BNBUSDT', 'above', row_number() over (), status, $2, delivered_at, seen from (values
       ('waiting', 'waiting', null::timestamptz, null::numeric), ('cancelled', 'cancelled', null, null),
       ('delivered', 'delivered', $2, 1), ('recent', 'delivered', $3, 1)
     ) as added (id, status, delivered_at, seen)`,
    [USER, daysAgo(91), daysAgo(89)],
  )
  await runRetention()
  expect(await idsOf('alerts')).toEqual(['recent', 'waiting'])
})

test('old one-minute candles are deleted except the last; longer ones stay', async () => {
  await db.query(
    `insert into swap_candles
     select pool || span || age, pool, span, $1::timestamptz - age * interval '1 day', 1, 1, 1, 1, 1, 1, 1
     from (values
       ('a', '1m', 500), ('a', '1m', 450), ('a', '1m', 10), ('a', '1h', 500), ('b', '1m', 600), ('b', '1m', 500)
     ) as added (pool, span, age)`,
    [new Date(NOW_MS)],
  )
  await runRetention()
  expect(await idsOf('swap_candles')).toEqual(['a1h500', 'a1m10', 'a1m450', 'b1m500'])
})

test('a long table is cleared in small steps with rests between', async () => {
  await db.query(
    `insert into command_outcomes (owner, key, kind, payload_hash, outcome, at)
     select $1, number::text, 'swap', '', '{}', case when number % 5 = 0 then $3::timestamptz else $2 end
     from generate_series(1, 6000) as number`,
    [USER, daysAgo(31), daysAgo(1)],
  )
  await runRetention()
  const [left] = await db.query<{ young: number; old: number }>(
    `select count(*) filter (where key::integer % 5 = 0)::integer as young,
       count(*) filter (where key::integer % 5 <> 0)::integer as old from command_outcomes`,
  )
  expect(left).toEqual({ young: 1_200, old: 0 })
  expect(restedMs.length).toBeGreaterThanOrEqual(9)
  expect(Math.max(...restedMs)).toBeLessThanOrEqual(250)
})
