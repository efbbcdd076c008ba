import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { createLendingStore } from './lending.store.ts'
import { readOwed } from './owed.ts'
import { pricesAt } from './testing/known-prices.ts'

const NOW = new Date('2026-11-22T00:00:00Z')
const USER = `0x${'a'.repeat(40)}`
const E18 = 10n ** 18n
const pairAt = (price: bigint) => [{ collateral: 'BNB', borrowed: 'USDT', prices: pricesAt(NOW, price * E18) }] as const

let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  await db.query(`insert into users (id, invite_code, nickname, created_at) values ($1, $1, 'name', $2)`, [USER, NOW])
})
afterAll(() => db.close())

/** Adds loans that are over their limit at prices of 100.000 to 499.999, every tenth of them to be cleared below 700. */
async function addLoans(from: number, to: number): Promise<void> {
  await db.query(
    `insert into loans (id, user_id, status, collateral_asset, collateral, borrow_asset, borrowed, principal, debt_shares,
       term_days, created_at, repayment_time, status_at, clear_ratio, warn_ratio, recover_ratio, watch_until, notify_rate_e18,
       warned, reminded, is_announced)
     select 'loan-' || n, $1, case when n % 10 = 0 then 0 else 2 end, 'BNB', 1e18, 'USDT', 1e18, 1e18, 1e18, 30, $2,
       $2::timestamptz + interval '30 days', $2, (100 + (n * 7919 % 400000) / 1000.0) * 1e27,
       (110 + (n * 7919 % 400000) / 1000.0) * 1e27, case when n % 10 = 0 then 700 * 1e27 + n end,
       $2::timestamptz + interval '1 day' + n * interval '1 second', 1e17 + n, 0, 0, true
     from generate_series($3::integer, $4::integer) n`,
    [USER, NOW, from, to],
  )
  await db.query('analyze loans')
}

/** The database blocks that statements read. */
async function blocksOf(run: (on: Database) => Promise<unknown>): Promise<number> {
  let blocks = 0
  const query = async (text: string, params?: readonly unknown[]) => {
    const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      params,
    )
    const plan = row?.['QUERY PLAN'][0].Plan
    // Its memory would grow with the number of loans that PostgreSQL expects.
    expect(JSON.stringify(plan)).not.toContain('"Aggregate"')
    blocks += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
    return []
  }
  await run({ ...db, query } as unknown as Database)
  return blocks
}

const reads: Readonly<Record<string, (on: Database) => Promise<unknown>>> = {
  'a look of the loan desk': (on) => createLendingStore(on).loansToJudge(pairAt(600n), ['USDT'], NOW, 200),
  'a look that finds twenty orders': (on) => createLendingStore(on).loansToJudge(pairAt(490n), ['USDT'], NOW, 20),
  'the debt of an account': (on) => readOwed(on, USER, NOW),
  'orders to announce': (on) => createLendingStore(on).loansToAnnounce(200),
}

/**
 * @attack S22 The summary read every open order of an account, so 20,000 orders made one call cost a second.
 * @holds The debt of an account is one row for each pool, however many orders it has.
 */
test('reads the same number of blocks with twenty times the loans', async () => {
  await addLoans(1, 1_000)
  const before = new Map<string, number>()
  for (const [name, read] of Object.entries(reads)) before.set(name, await blocksOf(read))
  await addLoans(1_001, 20_000)
  for (const [name, read] of Object.entries(reads))
    expect(await blocksOf(read), name).toBeLessThanOrEqual((before.get(name) ?? 0) * 1.3 + 12)
})

test('an order that is found twice is judged once', async () => {
  await addLoans(20_001, 20_100)
  // The price concerns both limits of an order.
  const ids = await createLendingStore(db).loansToJudge(pairAt(490n), ['USDT'], NOW, 200)
  expect(ids.length).toBe(200)
  expect(new Set(ids).size).toBe(ids.length)
})
