import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@clearwell/ledger/migrate'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { Writer } from '@clearwell/ledger/writer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeFirstParameters } from '../../features/stake/announce-parameters.ts'
import { buildRatioIndex } from '../../features/stake/build-ratio-index.ts'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { findLendingFaults } from './check-lending.ts'
import { createLendingStore } from './lending.store.ts'
import { stakeConfig } from './stake-config.ts'

const USER = `0x${'a'.repeat(40)}`
const AT = '2026-11-22T00:00:00Z'
const clock = { now: () => new Date(AT) }

/** Migrations before the rate floated. */
let before: string
let db: Awaited<ReturnType<typeof openPgliteDatabase>>
beforeAll(async () => {
  before = await mkdtemp(join(tmpdir(), 'clearwell-migrations-'))
  for (const folder of MIGRATION_FOLDERS)
    for (const name of await readdir(folder))
      if (/^00[0-7]\d_/.test(name)) await symlink(join(String(folder), name), join(before, name))
  db = await openPgliteDatabase()
  await migrate(db, [before])
})
afterAll(async () => {
  await db.close()
  await rm(before, { recursive: true })
})

test('open orders keep their debt when the rate begins to float', async () => {
  const parameters = JSON.stringify(stakeConfig.shape.stake.parse(undefined))
  await db.query(`insert into users (id, invite_code, nickname, created_at) values ($1, $1, 'name', $2)`, [USER, AT])
  await db.query(`insert into lending_parameters values ('1', $1, $1, $2)`, [AT, parameters])
  // 20 % a year on 1,000 for half a year, and a unit of interest from before; the pool has accrued for another half.
  await db.query(
    `insert into lending_pools values ('USDT', 1500e18, 0, 0, $1::timestamptz + interval '182.5 days', 9e24, 0, $1)`,
    [AT],
  )
  await db.query(
    `insert into loans (id, user_id, status, collateral_asset, collateral, borrow_asset, borrowed, principal, rate_e18, accrued,
       accrued_at, term_days, created_at, repayment_time, status_at, watch_price, watch_until, warned, reminded, is_announced)
     values ('one', $1, 2, 'BNB', 10e18, 'USDT', 1000e18, 1000e18, 2e17, 31536000000000000000000000, $2, 90, $2,
         $2::timestamptz + interval '400 days', $2, 0, $2, 0, 0, true),
       ('two', $1, 0, 'BNB', 1e18, 'USDT', 500e18, 500e18, 0, 0, $2, 90, $2, $2::timestamptz + interval '400 days', $2, 0, $2, 0, 0, true),
       ('over', $1, 1, 'BNB', 1e18, 'USDT', 500e18, 0, 0, 0, $2, 90, $2, $2, $2, 0, $2, 0, 0, true)`,
    [USER, AT],
  )
  await migrate(db, MIGRATION_FOLDERS)
  const orders = await db.query('select id, principal, debt_shares, terms_version, warn_ratio from loans order by id')
  expect(orders).toEqual([
    expect.objectContaining({ id: 'one', principal: 1_000n * 10n ** 18n, debt_shares: 1_100n * 10n ** 18n + 1n }),
    expect.objectContaining({ id: 'over', debt_shares: 0n }),
    expect.objectContaining({ id: 'two', debt_shares: 500n * 10n ** 18n, terms_version: 1 }),
  ])
  const pool = await db.query('select borrowed, debt_shares, index_e27 from lending_pools')
  expect(pool).toEqual([
    { borrowed: 1_500n * 10n ** 18n, debt_shares: 1_600n * 10n ** 18n + 1n, index_e27: 10n ** 27n },
  ])

  const options = { db, clock, randomId: () => 'x'.repeat(32), holder: 'test', leaseTtlMs: 60_000, exclusive: true }
  const writer = await Writer.open(options)
  await writer.execute(storeFirstParameters(stakeConfig.shape.stake.parse(undefined)))
  const store = createLendingStore(db)
  expect(await store.isIndexBuilt()).toBe(false)
  await buildRatioIndex({ store, writer })
  expect(await store.isIndexBuilt()).toBe(true)
  await writer.close()
  // The shares and the collateral of this test have no pledges and no ledger.
  const faults = (await findLendingFaults(db)).filter((fault) => !/has shares|the ledger holds/.test(fault))
  expect(faults).toEqual([])
})
