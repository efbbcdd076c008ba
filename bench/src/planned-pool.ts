import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '@clearwell/ledger/command'
import { migrate } from '@clearwell/ledger/migrate'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { Writer, type WrittenBatch } from '@clearwell/ledger/writer'
import { E18 } from '@clearwell/money/scale'
import { openPool } from '@clearwell/server/src/features/swap/open-pool.ts'
import { provideSwaps } from '@clearwell/server/src/features/swap/provide-swaps.ts'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { TREASURY, userAccount } from '@clearwell/server/src/platform/ledger/accounts.ts'
import { systemClock } from '@clearwell/server/src/platform/time/clock.ts'
import { fixedRule } from '@clearwell/server/src/testing/fixed-rule.ts'
import { throwIt } from './bench-writer.ts'
import { endLater } from './clean-up.ts'
import { userOf } from './hub.ts'

const USERS = 2_000
/** The id of a user by its number, in SQL. */
const USER = `'0x' || lpad(to_hex(n), 40, '0')`
const USER_OF_LIMIT = `'0x' || lpad(to_hex(1 + n % ${USERS}), 40, '0')`
export const TRADER = userOf(0)
const POOL = {
  id: 'bnb-usdt',
  base: 'BNB',
  quote: 'USDT',
  initialBase: 5_000n * E18,
  initialQuote: 3_100_000n * E18,
} as const

export type PlannedPool = Awaited<ReturnType<typeof openPlannedPool>>

/** A pool at 620 USDT whose users have as many waiting limits, which no trade of the bench reaches, and schedules that are due. */
export async function openPlannedPool({ limits, schedules }: { readonly limits: number; readonly schedules: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-plans-'))
  endLater(() => rm(folder, { recursive: true, force: true }))
  const db = await openPgliteDatabase(folder)
  await migrate(db, MIGRATION_FOLDERS)
  const batches: WrittenBatch[] = []
  const writer = await Writer.open({
    db,
    clock: systemClock,
    randomId: () => 'bench'.repeat(8),
    holder: 'bench',
    leaseTtlMs: 60_000,
    exclusive: true,
    measure: { nowMs: () => performance.now(), onBatch: (batch) => batches.push(batch) },
    onError: throwIt,
  })
  await db.query(
    `insert into users (id, invite_code, nickname, created_at)
     select ${USER}, 'bench' || n, '', now() from generate_series(0, ${USERS}) n`,
  )
  await db.query('insert into members (id, activated_at) select id, now() from users')
  await writer.execute(fund(TREASURY, POOL.initialBase, POOL.initialQuote))
  await writer.execute(openPool(POOL))
  await writer.execute(fund(userAccount(TRADER, 'available'), 1_000n * E18, 1_000_000n * E18))
  for (let n = 1; n <= schedules; n++)
    await writer.execute(fund(userAccount(userOf(n), 'available'), E18, 1_000n * E18))
  await db.query(
    `insert into plans (id, user_id, pool_id, inverse, amount, kind, price_e18, trigger_e18, armed_depth, armed_fee_bps, ends_at,
       status, skipped, created_at)
     select 'limit' || n, ${USER_OF_LIMIT}, 'bnb-usdt', n % 2 = 0, 1e18, 'limit', 1e18,
       case when n % 2 = 0 then 3e20 - n * 1e14 else 12e20 + n * 1e14 end, 1e30, 25, now() + interval '30 days', 'active', 0, now()
     from generate_series(1, ${limits}) n`,
  )
  await db.query(
    `insert into plans (id, user_id, pool_id, inverse, amount, kind, every, hour, slippage_bps, anchor_day, next_day, next_hour_at,
       next_run_at, status, skipped, created_at)
     select 'schedule' || n, ${USER}, 'bnb-usdt', n % 2 = 0, case when n % 2 = 0 then 2e19 else 3e16 end, 'schedule', 'day', 9, 300,
       '2026-01-01', '2026-01-01', now() - interval '1 hour', now() - n * interval '1 second', 'active', 0, now()
     from generate_series(1, ${schedules}) n`,
  )
  await db.query(`insert into plan_owners (id, open) select user_id, count(*) from plans group by user_id`)
  await db.script('vacuum analyze')
  const swaps = provideSwaps({
    store: { candles: async () => [], lastCandleBefore: async () => undefined },
    clock: systemClock,
    pools: [POOL],
    rules: {
      fees: fixedRule({ totalBps: 25n, revenueBps: 8n }),
      revenueShares: fixedRule({ rewards: 5_000n, referral: 2_000n, insurance: 1_000n, treasury: 2_000n }),
    },
    guard: { bandOf: () => undefined, marketOf: () => 620n * E18, spotOf: () => 620n * E18 },
    spotSymbols: new Set(['BNBUSDT']),
  })
  return { db, writer, swaps, batches, pool: { id: POOL.id, base: POOL.base, quote: POOL.quote, symbol: 'BNBUSDT' } }
}

function fund(account: string, bnb: bigint, usdt: bigint): Command<null> {
  return {
    kind: 'fund',
    owner: 'bench',
    payload: { account },
    preload: [],
    decide: () => ({
      entries: [
        {
          kind: 'fund',
          reference: account,
          postings: (
            [
              ['BNB', bnb],
              ['USDT', usdt],
            ] as const
          ).flatMap(([asset, units]) => [
            { account: 'vault', asset, units: -units },
            { account, asset, units },
          ]),
        },
      ],
      response: null,
    }),
  }
}
