import type { ResponseOf } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { toHex } from '@clearwell/rules/box-draw'
import { revealDeadline } from '@clearwell/rules/box-ladder'
import { inclusionPath, leafHash } from '@clearwell/rules/box-tree'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { readDay, readDrawn, readRun, readSubtrees, rulesOfDay } from './box-day.store.ts'
import { fileBox, hasDayFile, headerItem, readShares } from './day-file.ts'
import { sha256 } from './seeds.ts'

/** Describes what is published of a day so far. */
export async function describeDay(db: Database, day: HongKongDay): Promise<ResponseOf<'boxProof'> | undefined> {
  const row = await readDay(db, day)
  if (!row) return undefined
  const { block_number, root_at } = row
  return {
    day,
    phase: row.phase,
    rule: row.rule,
    commitment: row.commitment,
    committed_at: textOf(row.committed_at),
    box_count: row.box_count,
    boxes_root: row.boxes_root,
    root_at: textOf(root_at),
    void: row.void_reason !== null,
    void_reason: row.void_reason,
    block_not_before: textOf(row.block_not_before),
    block_number: block_number === null ? null : Number(block_number),
    block_hash: row.block_hash,
    block_time: textOf(row.block_time),
    seed: row.seed,
    seed_at: textOf(row.seed_at),
    seed_deadline: row.block_time && revealDeadline(row.block_time, rulesOfDay(row)).toISOString(),
    divided_at: textOf(row.divided_at),
    header: hasDayFile(row) ? await headerItem(db, row) : null,
  }
}

/** Proves that a box belongs to its day. Reads the run of boxes that it is in, not the whole day. */
export async function proveBox(db: Database, boxId: string): Promise<ResponseOf<'boxInclusion'> | undefined> {
  const drawn = await readDrawn(db, boxId)
  if (!drawn) return undefined
  const day = await readDay(db, drawn.day)
  if (!day || !hasDayFile(day) || day.tree === null || day.boxes_root === null) return undefined
  const [runs, run] = await Promise.all([readSubtrees(db, day.day), readRun(db, day.day, boxId)])
  const place = runs.findIndex(({ last_id }) => last_id >= boxId)
  const within = run.findIndex(({ id }) => id === boxId)
  if (place === -1 || within === -1) throw new Error(`the tree of ${day.day} has no box ${boxId}`)
  const leaves = run.map((box) => leafHash({ day: day.day, ...box }, sha256))
  const path = [
    ...inclusionPath(leaves, within, sha256),
    ...inclusionPath(
      runs.map(({ hash }) => Buffer.from(hash, 'hex')),
      place,
      sha256,
    ),
  ]
  const shares = await readShares(db, [drawn])
  return {
    leaf: toHex(leaves[within] as Uint8Array),
    index: place * day.run_length + within,
    path: path.map(toHex),
    root: day.boxes_root,
    tree: day.tree,
    box: fileBox(drawn, { shares: shares.get(boxId) ?? [], rules: rulesOfDay(day) }),
    header: await headerItem(db, day),
  }
}

function textOf(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}
