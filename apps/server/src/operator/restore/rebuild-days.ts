import type { Database, Queryable } from '@clearwell/ledger/database'
import { commitmentOf, toHex } from '@clearwell/rules/box-draw'
import { blockTimeOf } from '@clearwell/rules/box-ladder'
import { addDays, type HongKongDay } from '@clearwell/rules/hong-kong-day'
import { DAY_MS } from '@clearwell/rules/spans'
import { boxDayRecords, boxDays, boxes, boxTallies, type DayPhase, type DayRow } from '../../domain/boxes/box.tables.ts'
import { beginDay, countSources, DIVISION } from '../../domain/boxes/box-sources.store.ts'
import { type DayRecord, isPhaseBefore, readRecord } from '../../domain/boxes/day-records.ts'
import { readHeader } from '../../domain/proofs/signed-roots.ts'
import { type DayBox, insertPools, insertSubtrees, rulesOfDay } from '../../features/blind-box/box-day.store.ts'
import { BOX_REWARDS } from '../../features/blind-box/box-money.ts'
import { growTree, rootOf } from '../../features/blind-box/grow-tree.ts'
import { sha256 } from '../../features/blind-box/seeds.ts'
import type { Store, StoredEntry } from './read-store.ts'
import { lastRows, type MissingLines } from './rebuild-rows.ts'
import { RestoreRefused } from './restore-refused.ts'

const ENTRIES_PER_STEP = 2_000

/**
 * Checks the days of boxes that lines bring, before anything is imported: every click is there, and the boxes of a day lead to the root that
 * was published. So a restore changes no box of a day that has a root.
 *
 * @throws RestoreRefused with the day.
 */
export async function checkDays(
  db: Queryable,
  { lines }: Pick<MissingLines, 'lines'>,
  { entries, headers }: Pick<Store, 'entries' | 'headers'>,
): Promise<void> {
  const added = Map.groupBy(lastRows(lines, boxes), ({ day }) => day)
  const records = lastRows(lines, boxDayRecords).map(({ body }) => readRecord(body))
  await refuseUnknownRoots(db, headers, records)
  for (const { id, boxes: count } of lastRows(lines, boxTallies)) {
    const day = id as HongKongDay
    const [known] = await db.query<{ count: number }>('select count(*)::integer as count from boxes where day = $1', [
      day,
    ])
    const found = (known?.count ?? 0) + (added.get(day)?.length ?? 0)
    if (found !== count) throw new RestoreRefused(`The store has ${found} of the ${count} boxes of ${day}.`)
  }
  for (const record of records) {
    refuseOlderRecord(record)
    const { day, boxes_root: root } = record.day
    const [before] = await db.query<Pick<DayRow, 'boxes_root'>>('select boxes_root from box_days where day = $1', [day])
    if (before?.boxes_root && before.boxes_root !== root)
      throw new RestoreRefused(
        `The day ${day} has the root ${before.boxes_root} in the database, and ${root} in the store.`,
      )
    if (root !== null) checkRoot(record, await boxesWith(db, day, added.get(day) ?? []))
    checkDivision(record, entries)
  }
}

/** A later version may have added a column that has no value in records of before. */
function refuseOlderRecord({ day: row }: DayRecord): void {
  const lacking = Object.entries(boxDays.kinds).find(
    ([name, { isOptional }]) => !isOptional && row[name as keyof DayRow] === null,
  )
  if (lacking) throw new RestoreRefused(`The record of ${row.day} lacks ${lacking[0]}.`)
}

/** A header names the newest root. Without its record, the server would publish another root for the same day. */
async function refuseUnknownRoots(
  db: Queryable,
  headers: Store['headers'],
  records: readonly DayRecord[],
): Promise<void> {
  const known = await db.query<Pick<DayRow, 'day' | 'boxes_root'>>(
    'select day, boxes_root from box_days where boxes_root is not null',
  )
  const roots = new Map(
    [...known, ...records.map(({ day }) => day)].map(({ day, boxes_root }) => [`${day}`, boxes_root]),
  )
  for (const { number, fields, root } of headers.values()) {
    if (fields === null || root === null) continue
    const { boxDay, boxRoot } = readHeader(fields)
    const day = new Date(boxDay * DAY_MS).toISOString().slice(0, 10)
    if (boxDay > 0 && `0x${roots.get(day)}` !== boxRoot)
      throw new RestoreRefused(
        `Header ${number} has the root ${boxRoot} of the boxes of ${day}, which the store has not.`,
      )
  }
}

/** Returns the boxes of a day in the order of its tree, those of lines included. */
async function boxesWith(db: Queryable, day: HongKongDay, added: readonly DayBox[]): Promise<DayBox[]> {
  const known = await readBoxes(db, day)
  return [...known, ...added].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function readBoxes(db: Queryable, day: HongKongDay): Promise<DayBox[]> {
  return db.query<DayBox>('select id, level, streak, fees from boxes where day = $1 order by id collate "C"', [day])
}

/** The published root fixes boxes, rules, pools and commitment, and so the block time; the commitment fixes the seed. */
function checkRoot({ day: row, pools }: DayRecord, own: readonly DayBox[]): void {
  const { day, boxes_root: published, root_at: publishedAt, block_not_before: blockAt, commitment, seed } = row
  const { tree, grown } = wholeTree(row, own)
  const sources = pools.toSorted((a, b) => (a.asset < b.asset ? -1 : 1))
  const root = rootOf({ ...row, ...grown }, { tree, publishedAt: publishedAt ?? new Date(0), sources })
  if (root !== published)
    throw new RestoreRefused(`The boxes and facts of ${day} lead to the root ${root}, and ${published} was published.`)
  const due = row.rule === 'table' && publishedAt ? blockTimeOf(day, publishedAt, rulesOfDay(row)) : undefined
  if (blockAt?.getTime() !== due?.getTime())
    throw new RestoreRefused(`The day ${day} has another time of its block than its root gives.`)
  if (seed !== null && commitment !== toHex(commitmentOf(Buffer.from(seed, 'hex'), sha256)))
    throw new RestoreRefused(`The seed of ${day} is not the one of its commitment.`)
}

/** The entry of a division moves what the record says. */
function checkDivision(
  { day: { day, divided_at, void_reason }, pools }: DayRecord,
  entries: readonly StoredEntry[],
): void {
  if (divided_at === null || void_reason !== null) return
  const entry = entries.find(({ kind, reference }) => kind === DIVISION && reference === day)
  const moved = (entry?.postings ?? []).filter(({ account }) => account === BOX_REWARDS)
  const text = (of: readonly { asset: string; units: bigint }[]) =>
    of
      .map(({ asset, units }) => `${asset} ${units}`)
      .toSorted()
      .join(', ') || 'nothing'
  const shared = pools.map(({ asset, shared: units }) => ({ asset, units })).filter(({ units }) => units > 0n)
  if (text(moved) !== text(shared))
    throw new RestoreRefused(
      `The entry of the division of ${day} moves ${text(moved)}, and its record has ${text(shared)}.`,
    )
}

/**
 * Puts the days back to the step that is on record, from which the server continues them: the tree with its root is here again, and the job
 * computes draws and rewards as before. A day that is on record as divided is divided without a second entry.
 */
export async function continueDays(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    const due = await tx.query<{ body: string; phase: DayPhase | null }>(
      `select body, phase from box_day_records left join box_days on day = id
       where phase is distinct from 'divided' order by id`,
    )
    const behind = due.flatMap(({ body, phase }) => {
      const record = continued(readRecord(body))
      return phase === null || isPhaseBefore(phase, record.day.phase) ? [{ record, phase }] : []
    })
    if (behind.length === 0) return
    // Before a day begins: an entry before its begin belongs to the day before.
    while ((await countSources(tx, ENTRIES_PER_STEP)) === ENTRIES_PER_STEP);
    for (const { record, phase } of behind) {
      await saveDay(tx, record)
      const hasClosed = record.day.phase !== 'open'
      if (hasClosed && (phase === null || phase === 'open')) await beginDay(tx, addDays(record.day.day, 1))
    }
  })
}

/** The step before the first one whose rows the server computes again. */
function continued({ day, pools }: DayRecord): DayRecord {
  const { void_reason } = day
  if (void_reason !== null) return { day: { ...day, phase: 'shared', divided_at: null }, pools }
  const isDrawn = !isPhaseBefore(day.phase, 'seeded')
  if (!isDrawn) return { day, pools }
  return { day: { ...day, phase: 'seeded', total_power: 0n, divided_at: null }, pools }
}

async function saveDay(tx: Queryable, { day: row, pools }: DayRecord): Promise<void> {
  const { day } = row
  const names = Object.keys(boxDays.kinds)
  const values = names.map((name, index) => `$${index + 1}::${boxDays.kinds[name]?.sql}`)
  const updates = names.filter((name) => name !== 'day').map((name) => `${name} = excluded.${name}`)
  await tx.query(
    `insert into box_days (${boxDays.columns}) values (${values.join(', ')})
     on conflict (day) do update set ${updates.join(', ')}`,
    names.map((name) => toParam(row[name as keyof DayRow])),
  )
  await tx.query('delete from box_pools where day = $1', [day])
  const pool = pools.map(({ asset, pool: units }) => ({ asset, units }))
  await insertPools(tx, day, { sources: pools, pool })
  await tx.query('delete from box_subtrees where day = $1', [day])
  if (row.boxes_root === null) return
  const { runs, lastRun } = wholeTree(row, await readBoxes(tx, day))
  await insertSubtrees(tx, day, [...runs, ...lastRun])
}

const wholeTree = (row: DayRow, boxes: readonly DayBox[]) =>
  growTree({ ...row, box_count: 0, peaks: [], cursor_id: '' }, boxes)

const toParam = (value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
