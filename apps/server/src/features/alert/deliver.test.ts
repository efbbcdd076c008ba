import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { parseUnits } from '@clearwell/money/decimal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { createNoticeStore } from '../../platform/notices/notice.store.ts'
import { createNotices } from '../../platform/notices/notices.ts'
import { createAlertStore } from './alert.store.ts'
import { alertDrains } from './alert-drains.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const USER = `0x${'a'.repeat(40)}`

let db: Database
let errors: unknown[]
let priceE18: bigint | undefined
beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  errors = []
  priceE18 = e18('600')
  await db.query(`insert into users (id, invite_code, nickname, created_at) values ($1, 'code', 'name', $2)`, [
    USER,
    NOW,
  ])
})
afterEach(async () => {
  await db.close()
  expect(errors).toEqual([])
})

const e18 = (text: string) => parseUnits(text, 18) as bigint

/** Waiting alerts at prices from `from` upwards, one apart. */
async function insertAlerts(count: number, from: number, symbol = 'BNBUSDT'): Promise<void> {
  await db.query(
    `insert into alerts (id, user_id, symbol, direction, price_e18, status, created_at)
     select $1 || '-' || $2 || '-' || n, $3, $1, 'above', ($2::numeric + n) * 1000000000000000000, 'waiting', $4
     from generate_series(0, $5::integer - 1) n`,
    [symbol, String(from), USER, NOW, count],
  )
}

/** One server's drains and notices on the database, whose timers are the test. */
function desk({ isWriting = true }: { isWriting?: boolean } = {}) {
  const published: string[] = []
  const notices = createNotices({ db, publish: () => {}, onError: (error) => errors.push(error) })
  notices.onSent(({ user_id, key }) => {
    expect(user_id).toBe(USER)
    published.push(key)
  })
  const clock = { now: () => NOW }
  const jobs = createJobs({ db, clock, isLeader: () => isWriting, onError: (error) => errors.push(error) })
  const prices = async () => [{ symbol: 'BNBUSDT', priceE18 }]
  jobs.add(
    alertDrains({ db, store: createAlertStore(db), notices, pushStore: undefined, clock, prices, push: undefined }),
  )
  async function check(): Promise<void> {
    await jobs.drain()
    await notices.check()
  }
  return { check, published }
}

const statuses = async () =>
  (
    await db.query<{ status: string; count: number }>(
      'select status, count(*)::integer as count from alerts group by status order by status',
    )
  ).map(({ status, count }) => `${count} ${status}`)

test('two leading servers deliver each alert once, and both publish it', async () => {
  await insertAlerts(2_500, 1_000)
  const writing = [desk(), desk(), desk(), desk()]
  const desks = [...writing, desk({ isWriting: false })]
  await Promise.all(desks.map((each) => each.check()))
  expect(desks.flatMap((each) => each.published)).toEqual([])
  for (const price of ['1100', '1900', '3000']) {
    priceE18 = e18(price)
    await Promise.all(writing.map((each) => each.check()))
  }
  expect(await statuses()).toEqual(['2001 delivered', '499 waiting'])
  // A repeated delivery would have taken a second number.
  expect(await createNoticeStore(db).lastId()).toBe(2_001n)
  await Promise.all(desks.map((each) => each.check()))
  for (const { published } of desks) {
    expect(published).toHaveLength(2_001)
    expect(new Set(published).size).toBe(2_001)
  }
})

test('a follower delivers nothing, and publishes the deliveries of the leader', async () => {
  await insertAlerts(1, 700)
  const [writing, other] = [desk(), desk({ isWriting: false })]
  await other.check()
  priceE18 = e18('710')
  await other.check()
  expect(await statuses()).toEqual(['1 waiting'])
  await writing.check()
  await other.check()
  await other.check()
  expect(await statuses()).toEqual(['1 delivered'])
  expect(other.published).toEqual(['BNBUSDT-700-0'])
})

test('a stale price delivers nothing, and the next fresh one does', async () => {
  await insertAlerts(1, 500)
  priceE18 = undefined
  const { check, published } = desk()
  await check()
  expect(await statuses()).toEqual(['1 waiting'])
  priceE18 = e18('600')
  await check()
  expect(await statuses()).toEqual(['1 delivered'])
  expect(published).toEqual(['BNBUSDT-500-0'])
})

test('an alert is delivered exactly at its price, not one unit before', async () => {
  await insertAlerts(1, 700)
  await db.query(
    `insert into alerts (id, user_id, symbol, direction, price_e18, status, created_at)
     values ('below', $1, 'BNBUSDT', 'below', $2, 'waiting', $3)`,
    [USER, e18('500').toString(), NOW],
  )
  const { check, published } = desk()
  for (const price of [e18('700') - 1n, e18('500') + 1n]) {
    priceE18 = price
    await check()
  }
  expect(published).toEqual([])
  priceE18 = e18('700')
  await check()
  priceE18 = e18('500')
  await check()
  expect(published).toEqual(['BNBUSDT-700-0', 'below'])
})

test('a price that reaches nothing reads only the edges of an index', async () => {
  await insertAlerts(20_000, 1_000)
  await insertAlerts(20_000, 1_000, 'ETHUSDT')
  await db.script('analyze alerts')
  const plan = await db.query<{ 'QUERY PLAN': string }>(
    `explain select alert.id
     from unnest($1::text[], $2::text[], $3::numeric[], $4::numeric[]) as range (symbol, direction, from_e18, to_e18)
     join alerts alert on alert.status = 'waiting' and alert.symbol = range.symbol
       and alert.direction = range.direction and alert.price_e18 between range.from_e18 and range.to_e18
     limit 1000 for update of alert skip locked`,
    [['BNBUSDT'], ['above'], ['0'], [e18('600').toString()]],
  )
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).toMatch(/Index (Only )?Scan using alerts_waiting|Bitmap Index Scan on alerts_waiting/)
  expect(text).not.toMatch(/Seq Scan on alerts/)
})
