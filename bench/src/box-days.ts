import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditBooks } from '@clearwell/ledger/audit'
import type { Command } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { migrate } from '@clearwell/ledger/migrate'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { Writer } from '@clearwell/ledger/writer'
import { E18 } from '@clearwell/money/scale'
import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { addDays, boundsOfDay, type HongKongDay } from '@clearwell/rules/hong-kong-day'
import { claimableOf } from '@clearwell/server/src/domain/boxes/box.store.ts'
import type { RoundDependencies } from '@clearwell/server/src/features/blind-box/box-jobs.ts'
import { claimBoxes } from '@clearwell/server/src/features/blind-box/box-money.ts'
import { createDayPaces, createRoundPaces } from '@clearwell/server/src/features/blind-box/box-paces.ts'
import type { DayCloseDependencies } from '@clearwell/server/src/features/blind-box/close-day.ts'
import { createSeeds } from '@clearwell/server/src/features/blind-box/seeds.ts'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { REWARDS, VAULT } from '@clearwell/server/src/platform/ledger/accounts.ts'
import { createNoticeStore } from '@clearwell/server/src/platform/notices/notice.store.ts'
import type { BatchPace } from '@clearwell/server/src/platform/time/batch-pace.ts'
import { endLater } from './clean-up.ts'

export const FIRST_DAY = '2030-01-01' as HongKongDay
const PER_STATEMENT = 50_000
const BLOCK_MS = 3_000

/** A ledger with days of boxes on a virtual clock and a virtual chain. */
export interface BoxDays {
  readonly db: Database
  readonly close: DayCloseDependencies
  readonly follow: RoundDependencies
  goTo(time: Date): void
  /** Moves the clock by one block. */
  pass(): void
  /** Adds a day's revenue to `rewards`. */
  earn(): Promise<void>
  /** Claims the reward of the next user's box of the first day. */
  claim(): Promise<void>
  /** Returns how many boxes the steps have handled since the last call. */
  takeHandled(): number
  /** @throws Error if the books are wrong. */
  end(): Promise<void>
}

/**
 * Fills a new database with days of boxes by SQL, the first of them on {@link FIRST_DAY}. The database has a folder, so that
 * its rows do not count as memory.
 *
 * @param sizes the boxes of each day.
 * @param watch runs each command of the feature, and each query and transaction of its jobs as `database`.
 */
export async function openBoxDays(
  sizes: readonly number[],
  watch: <Result>(kind: string, run: () => Promise<Result>) => Promise<Result>,
): Promise<BoxDays> {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-box-days-'))
  endLater(() => rm(folder, { recursive: true, force: true }))
  const db = await openPgliteDatabase(folder)
  await migrate(db, MIGRATION_FOLDERS)
  await fill(db, sizes)
  let nowMs = boundsOfDay(addDays(FIRST_DAY, -1)).opensAt.getTime()
  const clock = { now: () => new Date(nowMs) }
  const writer = await openWriter(db, clock)
  const execute = <Result>(command: Command<Result>) => watch(command.kind, () => writer.execute(command))
  const watched: Database = {
    ...db,
    query: (text, params) => watch('database', () => db.query(text, params)),
    transaction: (work) => watch('database', () => db.transaction(work)),
  }
  const { steps, rounds, takeHandled } = countedPaces()
  const close = {
    db: watched,
    writer: { execute },
    clock,
    chain: virtualChain(clock.now),
    seeds: createSeeds(new Uint8Array(32).fill(7)),
    allowsDraws: true,
    rules: async () => DEFAULT_BOX_RULES,
    confirmations: 3,
    ...steps,
  }
  let claimed = 0
  return {
    db,
    close,
    follow: {
      db: watched,
      writer: { execute },
      clock,
      notices: createNoticeStore(db),
      paces: rounds,
    },
    goTo(time) {
      nowMs = time.getTime()
    },
    pass() {
      nowMs += BLOCK_MS
    },
    async earn() {
      await writer.execute(earn())
    },
    async claim() {
      const userId = userOf(claimed++)
      const assigned = await claimableOf(db, { userId, ids: [boxOf(FIRST_DAY, claimed - 1)], now: clock.now() })
      if (assigned.length === 0) throw new Error(`${userId} has no reward to claim`)
      await execute(claimBoxes({ userId, assigned, asked: undefined, opening: 'always', key: undefined }))
    },
    takeHandled,
    async end() {
      const faults = await auditBooks(db)
      if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
      await writer.close()
      await db.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The paces of a server, and the boxes that their steps have handled. */
function countedPaces() {
  let handled = 0
  const counted = (pace: BatchPace): BatchPace => ({
    run: (step) =>
      pace.run(async (most) => {
        const boxes = await step(most)
        handled += boxes
        return boxes
      }),
  })
  const { boxesPerRun, paces } = createDayPaces()
  const { announce, remind, expire } = createRoundPaces()
  return {
    steps: {
      boxesPerRun,
      paces: { tree: counted(paces.tree), draws: counted(paces.draws), rewards: counted(paces.rewards) },
    },
    rounds: { announce: counted(announce), remind: counted(remind), expire: counted(expire) },
    takeHandled() {
      const boxes = handled
      handled = 0
      return boxes
    },
  }
}

const userOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
/** The places of ids are mixed, as those of real boxes are. */
const boxOf = (day: HongKongDay, index: number) =>
  `${((BigInt(index) * 2_654_435_761n) % 2n ** 32n).toString(16).padStart(8, '0')}${day.replaceAll('-', '')}${index.toString(16).padStart(16, '0')}`

async function fill(db: Database, sizes: readonly number[]): Promise<void> {
  await inRuns(Math.max(...sizes), (from, to) =>
    db.query(
      `insert into users (id, invite_code, nickname, created_at)
       select '0x' || lpad(to_hex(n), 40, '0'), 'bench' || n, '', now() from generate_series($1::bigint, $2::bigint) n`,
      [from, to],
    ),
  )
  for (const [index, size] of sizes.entries()) {
    const day = addDays(FIRST_DAY, index)
    await inRuns(size, (from, to) =>
      db.query(
        `insert into boxes (id, user_id, day, level, streak, fees, created_at)
         select lpad(to_hex((n * 2654435761) % 4294967296), 8, '0') || replace($3, '-', '') || lpad(to_hex(n), 16, '0'),
           '0x' || lpad(to_hex(n), 40, '0'), $3, n % 6, n % 40, (n % 1000 + 1) * 10::numeric ^ 15, $4::timestamptz + n * interval '1 microsecond'
         from generate_series($1::bigint, $2::bigint) n`,
        [from, to, day, boundsOfDay(day).opensAt],
      ),
    )
  }
  // As if each day's clicks had counted fees that never bind its pool.
  await db.query(
    `insert into box_tallies (id, boxes, power, bnb, eth, rt, usdt)
     select day, count(*), sum(fees), 1e24, 0, 0, 1e24 from boxes group by day`,
  )
  await db.script('vacuum analyze')
  await db.script('checkpoint')
}

async function inRuns(size: number, run: (from: number, to: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < size; from += PER_STATEMENT) await run(from, Math.min(size, from + PER_STATEMENT) - 1)
}

function openWriter(db: Database, clock: { now(): Date }): Promise<Writer> {
  return Writer.open({
    db,
    clock,
    randomId: () => 'bench'.repeat(8),
    holder: 'bench',
    leaseTtlMs: 60_000,
    exclusive: true,
    onError: (error) => {
      throw error
    },
  })
}

/** Enough that each of a million boxes has a share of each asset. */
function earn(): Command<null> {
  const postings = (['BNB', 'USDT'] as const).flatMap((asset) => [
    { account: VAULT, asset, units: -1_000n * E18 },
    { account: REWARDS, asset, units: 1_000n * E18 },
  ])
  const entries = [{ kind: 'swap', reference: 'revenue', postings }]
  return { kind: 'earn', owner: 'bench', payload: {}, preload: [], decide: () => ({ entries, response: null }) }
}

function virtualChain(now: () => Date): DayCloseDependencies['chain'] {
  const block = (number: bigint) => ({
    number,
    hash: `0x${number.toString(16).padStart(64, '0')}`,
    time: new Date(Number(number) * BLOCK_MS),
  })
  const head = () => BigInt(Math.floor(now().getTime() / BLOCK_MS))
  return {
    head: async () => block(head()),
    block: async (number) => (number <= head() ? block(number) : undefined),
  }
}
