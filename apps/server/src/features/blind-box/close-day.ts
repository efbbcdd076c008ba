import type { Database, Queryable } from '@clearwell/ledger/database'
import { readLastEntryBefore } from '@clearwell/ledger/read-day-end'
import type { Writer } from '@clearwell/ledger/writer'
import { drawRuleOf, drawTicket, factorOfTicket, toHex } from '@clearwell/rules/box-draw'
import { revealDeadline, rootDeadline, type VoidReason } from '@clearwell/rules/box-ladder'
import { powerOf } from '@clearwell/rules/box-power'
import { poolOfDay, rewardOf } from '@clearwell/rules/box-reward'
import { type BoxRules, boxRulesText, parseBoxRules } from '@clearwell/rules/box-rules'
import { expiryOf } from '@clearwell/rules/box-status'
import { addDays, boundsOfDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import type { DayRow, PoolRow } from '../../domain/boxes/box.tables.ts'
import { beginDay, countSources, readRewardsOf, readSourceCursor } from '../../domain/boxes/box-sources.store.ts'
import { readTally, sourcesOf } from '../../domain/boxes/box-today.ts'
import { readRecord, recordDay } from '../../domain/boxes/day-records.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { BatchPace } from '../../platform/time/batch-pace.ts'
import type { Clock } from '../../platform/time/clock.ts'
import {
  boxesAfter,
  commitDays,
  type DrawnBox,
  drawnAfter,
  hasRecordedRoot,
  holdDay,
  insertDraws,
  insertPools,
  insertShares,
  insertSubtrees,
  oldestUnfinishedDay,
  readPools,
  rulesOfDay,
  updateDay,
} from './box-day.store.ts'
import { divideDay, forfeitDay, settleDebts } from './box-money.ts'
import { insertRounds } from './box-rounds.store.ts'
import { closeClicks } from './click-box.ts'
import { firstBlockAt } from './first-block.ts'
import { type Growth, growTree, rootedDay } from './grow-tree.ts'
import { hmacSha256, type Seeds } from './seeds.ts'

export interface DayCloseDependencies {
  readonly db: Database
  readonly writer: Pick<Writer, 'execute'>
  readonly clock: Clock
  readonly chain: Pick<Chain, 'head' | 'block'>
  /** Absent where the operator may not draw. */
  readonly seeds: Seeds | undefined
  /** False where the operator may not draw: every new day is flat. */
  readonly allowsDraws: boolean
  /** The numbers of days whose commitment is not published yet. */
  /** The numbers for days that have none yet. */
  readonly rules: () => Promise<BoxRules>
  /** Blocks after the block of a draw. */
  readonly confirmations: number
  /** Boxes in a run of the tree of a day that closes from now on: a power of two. */
  readonly boxesPerRun: number
  readonly paces: { readonly tree: BatchPace; readonly draws: BatchPace; readonly rewards: BatchPace }
}

/** Days after today whose commitments are published. */
const DAYS_AHEAD = 7
/** Entries of the ledger that one step counts: some milliseconds. */
const ENTRIES_PER_STEP = 2_000

/** `advanced`: a step is stored, and there may be more to do now. */
export type DayProgress = 'advanced' | 'waiting'

/**
 * Does the next step of the oldest day that is not divided: close, tree and root, block, seed, draws, rewards, division. A day
 * without a root or a seed in time is void: it divides nothing, and the treasury pays as much into `rewards`.
 * Days are closed in their order. A step is one transaction with the day's row, so a server that dies repeats or loses
 * nothing, and of two servers one does each step. The commands of the ledger have keys.
 */
export async function advanceDays(deps: DayCloseDependencies): Promise<DayProgress> {
  await publishCommitments(deps)
  if ((await countNextSources(deps)) === ENTRIES_PER_STEP) return 'advanced'
  await settleDebts(deps)
  const day = await oldestUnfinishedDay(deps.db)
  if (!day || deps.clock.now() < boundsOfDay(day.day).closesAt) return 'waiting'
  switch (day.phase) {
    case 'open':
      return close(deps, day)
    case 'closed':
      return root(deps, day)
    case 'rooted':
      // An earlier version has not recorded its root.
      await record(deps, day)
      return findBlock(deps, day)
    case 'mined':
      return publishSeed(deps, day)
    case 'seeded':
      if (day.cursor_id === '') await record(deps, day)
      return inSteps(deps, day, deps.paces.draws, (tx, most) => draw(tx, day, most))
    case 'drawn':
      return inSteps(deps, day, deps.paces.rewards, (tx, most) => share(tx, day, most))
    case 'shared':
      return divide(deps, day)
    case 'divided':
      return 'waiting'
  }
}

/**
 * Publishes the commitments of today and the next days, so that a server that sleeps for some days has committed in time.
 * Today's is too late if it is new: the day is then flat.
 */
export async function publishCommitments({ db, writer, clock, seeds, rules }: DayCloseDependencies): Promise<void> {
  const now = clock.now()
  const today = hongKongDayOf(now)
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => addDays(today, ahead))
  const commitments = days.map((day) => ({ day, commitment: seeds?.commitment(day) ?? null }))
  const published = await commitDays(db, commitments, { rules: await rules(), now })
  // A restored ledger keeps the times: a day whose commitment is late would be flat.
  for (const day of published) await writer.execute(recordDay({ day, pools: [] }))
}

/** Records the facts of a day in the ledger's writer, which bookkeepers store. @returns those on record */
async function record({ db, writer }: DayCloseDependencies, day: DayRow): Promise<DayRow> {
  const { body } = await writer.execute(recordDay({ day, pools: await readPools(db, day.day) }))
  return readRecord(body).day
}

function countNextSources({ db }: DayCloseDependencies): Promise<number> {
  return db.transaction((tx) => countSources(tx, ENTRIES_PER_STEP))
}

async function inTransaction(
  { db }: DayCloseDependencies,
  day: DayRow,
  work: (tx: Queryable) => Promise<void>,
): Promise<DayProgress> {
  return db.transaction(async (tx) => {
    if (!(await holdDay(tx, day))) return 'waiting'
    await work(tx)
    return 'advanced'
  })
}

/** Does one step of a phase with as many boxes as its pace allows. */
async function inSteps(
  deps: DayCloseDependencies,
  day: DayRow,
  pace: BatchPace,
  step: (tx: Queryable, most: number) => Promise<number>,
): Promise<DayProgress> {
  let progress = 'waiting' as DayProgress
  await pace.run(async (most) => {
    let boxes = 0
    progress = await inTransaction(deps, day, async (tx) => {
      boxes = await step(tx, most)
    })
    return boxes
  })
  return progress
}

async function close(deps: DayCloseDependencies, row: DayRow): Promise<DayProgress> {
  const { day, committed_at } = row
  await deps.writer.execute(closeClicks(day))
  // All entries before the end are stored now, and counted before the day closes.
  const { closesAt } = boundsOfDay(day)
  const isCounted = async (on: Queryable, holds = false) =>
    (await readSourceCursor(on, { holds })).seq >= (await readLastEntryBefore(on, closesAt)).seq
  while (!(await isCounted(deps.db))) await countNextSources(deps)
  return inTransaction(deps, row, async (tx) => {
    const [counted, last] = [await readSourceCursor(tx, { holds: true }), await readLastEntryBefore(tx, closesAt)]
    if (counted.seq < last.seq) throw new Error(`${day} has entries that are not counted`)
    await beginDay(tx, addDays(day, 1))
    const rules = row.rules === null ? await deps.rules() : parseBoxRules(row.rules)
    const { boxes, ...contributed } = await readTally(tx, day)
    const sources = sourcesOf(await readRewardsOf(tx, day), contributed)
    await insertPools(tx, day, { sources, pool: poolOfDay(sources, rules) })
    await updateDay(tx, day, {
      phase: 'closed',
      rules: boxRulesText(rules),
      rule: drawRuleOf(day, { allowsDraws: deps.allowsDraws, committedAt: committed_at ?? undefined, boxes }),
      run_length: deps.boxesPerRun,
      ledger_seq: last.seq,
      entry_hash: toHex(last.hash),
    })
  })
}

/** Grows the tree, and publishes the root after the last box. A root that would be too late for every block voids the day. */
async function root(deps: DayCloseDependencies, row: DayRow): Promise<DayProgress> {
  const now = deps.clock.now()
  const isLate = now > rootDeadline(row.day, rulesOfDay(row))
  if (isLate && !(await hasRecordedRoot(deps.db, row.day))) return voidDay(deps, row, 'no_root')
  let progress = 'waiting' as DayProgress
  await deps.paces.tree.run(async (most) => {
    // The day takes no clicks, so its boxes are the same in the transaction.
    const boxes = await boxesAfter(deps.db, row, most)
    const growth = growTree(row, boxes)
    const isLast = boxes.length < most
    const changes = isLast
      ? await recordRoot(deps, row, growth)
      : { ...growth.grown, cursor_id: boxes.at(-1)?.id ?? '' }
    progress = await inTransaction(deps, row, async (tx) => {
      await insertSubtrees(tx, row.day, isLast ? [...growth.runs, ...growth.lastRun] : growth.runs)
      await updateDay(tx, row.day, changes)
    })
    return boxes.length
  })
  return progress
}

/**
 * Records the root before a header or a user can see it, so that a restored ledger keeps it.
 *
 * @returns the changes of the day. A server that died after its record has fixed them.
 */
async function recordRoot(deps: DayCloseDependencies, row: DayRow, growth: Growth): Promise<Partial<DayRow>> {
  const pools = await readPools(deps.db, row.day)
  const rooted = rootedDay(row, growth, { pools, now: deps.clock.now() })
  const { day } = readRecord((await deps.writer.execute(recordDay({ day: { ...row, ...rooted }, pools }))).body)
  const { boxes_root, root_at, block_not_before, phase } = day
  return { ...rooted, boxes_root, root_at, block_not_before, phase }
}

/** Voids a day: it divides nothing, so no account gains by it. */
function voidDay(deps: DayCloseDependencies, row: DayRow, reason: VoidReason): Promise<DayProgress> {
  return inTransaction(deps, row, async (tx) => {
    await updateDay(tx, row.day, { phase: 'shared', void_reason: reason, cursor_id: '' })
  })
}

async function findBlock(deps: DayCloseDependencies, row: DayRow): Promise<DayProgress> {
  const { day, block_not_before: earliest } = row
  if (earliest === null) throw new Error(`the day ${day} is rooted without a time for its block`)
  const found = await firstBlockAt(deps.chain, earliest, deps.confirmations)
  if (!found) return 'waiting'
  return inTransaction(deps, row, async (tx) => {
    await updateDay(tx, day, {
      phase: 'mined',
      block_number: found.block.number,
      block_hash: found.block.hash.toLowerCase(),
      block_time: found.block.time,
      previous_block_time: found.previous.time,
    })
  })
}

async function publishSeed(deps: DayCloseDependencies, row: DayRow): Promise<DayProgress> {
  const { day, commitment, block_time } = row
  const now = deps.clock.now()
  if (block_time === null) throw new Error(`the day ${day} has no time of its block`)
  if (now > revealDeadline(block_time, rulesOfDay(row))) return voidDay(deps, row, 'no_seed')
  const seed = commitment === null ? undefined : deps.seeds?.reveal(day, commitment)
  // Another key, or draws that are forbidden now, do not lose the seed earlier: the operator knows the draws already and could
  // end a bad day so. The chain's clock may be ahead of this one.
  if (seed === undefined || now < block_time) return 'waiting'
  // On record before it is public, so that no restore makes a known draw void.
  const known = await record(deps, { ...row, phase: 'seeded', seed: toHex(seed), seed_at: now })
  return inTransaction(deps, row, async (tx) => {
    await updateDay(tx, day, { phase: 'seeded', seed: known.seed, seed_at: known.seed_at })
  })
}

async function draw(tx: Queryable, row: DayRow, most: number): Promise<number> {
  const { day, seed, block_hash: blockHash } = row
  const key = seed === null ? undefined : Buffer.from(seed, 'hex')
  const rules = rulesOfDay(row)
  const boxes = await boxesAfter(tx, row, most)
  const drawn = boxes.map((box): DrawnBox => {
    const ticket = key && blockHash ? drawTicket({ seed: key, blockHash, boxId: box.id }, hmacSha256) : null
    const factor = ticket === null ? 1 : factorOfTicket(ticket, rules.odds)
    return { ...box, ticket, draw: factor, power: powerOf({ ...box, draw: factor }, rules) }
  })
  await insertDraws(tx, drawn)
  const total_power = drawn.reduce((sum, { power }) => sum + power, row.total_power)
  await updateDay(tx, day, { total_power, ...nextOf(boxes, most, 'drawn') })
  return boxes.length
}

async function share(tx: Queryable, row: DayRow, most: number): Promise<number> {
  const { day, total_power: totalPower } = row
  const boxes = await drawnAfter(tx, row, most)
  const pool = (await readPools(tx, day)).map(({ asset, pool: units }) => ({ asset, units }))
  const shares = boxes.flatMap(({ id, power }) =>
    rewardOf({ pool, power, totalPower }).map((amount) => ({ boxId: id, amount })),
  )
  await insertShares(tx, day, shares)
  await updateDay(tx, day, nextOf(boxes, most, 'shared'))
  return boxes.length
}

async function divide(deps: DayCloseDependencies, row: DayRow): Promise<DayProgress> {
  const pools = await readPools(deps.db, row.day)
  if (row.void_reason !== null) return forfeit(deps, row, pools)
  const shared = pools.map(({ asset, shared: units }) => ({ asset, units })).filter(({ units }) => units > 0n)
  const { divided_at } = await deps.writer.execute(divideDay(row.day, shared, { day: row, pools }))
  return inTransaction(deps, row, async (tx) => {
    const now = timeOf(divided_at, deps)
    const claim_until = expiryOf(now, rulesOfDay(row))
    await insertRounds(tx, row.day, { dividedAt: now, claimUntil: claim_until })
    await updateDay(tx, row.day, { phase: 'divided', divided_at: now, claim_until })
  })
}

/** The treasury pays what the day would have divided. Its boxes end without a reward. */
async function forfeit(deps: DayCloseDependencies, row: DayRow, pools: readonly PoolRow[]): Promise<DayProgress> {
  const pool = pools.map(({ asset, pool: units }) => ({ asset, units })).filter(({ units }) => units > 0n)
  const { divided_at } = await deps.writer.execute(forfeitDay(row.day, pool, { day: row, pools }))
  return inTransaction(deps, row, async (tx) => {
    const now = timeOf(divided_at, deps)
    await updateDay(tx, row.day, { phase: 'divided', divided_at: now, claim_until: now })
  })
}

/** The time of the ledger's command: a restored day expires when it would have. A leader of an earlier version has not stored it. */
function timeOf(dividedAt: string | undefined, { clock }: DayCloseDependencies): Date {
  return dividedAt === undefined ? clock.now() : new Date(dividedAt)
}

/** Continues after the last box of a full batch, or with the next phase. */
function nextOf(boxes: readonly { readonly id: string }[], limit: number, phase: DayRow['phase']): Partial<DayRow> {
  const last = boxes.at(-1)
  return last && boxes.length === limit ? { cursor_id: last.id } : { cursor_id: '', phase }
}
