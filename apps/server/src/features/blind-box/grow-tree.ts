import type { Queryable } from '@clearwell/ledger/database'
import { toHex } from '@clearwell/rules/box-draw'
import { blockTimeOf } from '@clearwell/rules/box-ladder'
import { appendLeaf, type BoxTree, dayRoot, EMPTY_TREE, leafHash, treeHash } from '@clearwell/rules/box-tree'
import type { DayRow } from '../../domain/boxes/box.tables.ts'
import { boxesAfter, insertSubtrees, readPools, rulesOfDay, type Subtree, updateDay } from './box-day.store.ts'
import { sha256 } from './seeds.ts'

/**
 * Adds the next boxes to the tree of a day, and publishes the root after the last. The trees of runs are stored too: they
 * depend on the day's length of a run only, not on how many boxes a step has.
 *
 * @param most boxes of this step.
 * @returns how many boxes were added.
 */
export async function growTree(
  tx: Queryable,
  row: DayRow,
  { most, now }: { readonly most: number; readonly now: Date },
): Promise<number> {
  const boxes = await boxesAfter(tx, row, most)
  const leaves = boxes.map((box) => ({ id: box.id, hash: leafHash({ day: row.day, ...box }, sha256) }))
  const { tree, runs, openRun } = growRuns(row, leaves)
  const grown = { peaks: tree.peaks.map(toHex), box_count: tree.size }
  const last_id = boxes.at(-1)?.id ?? row.cursor_id
  if (boxes.length === most) {
    await insertSubtrees(tx, row.day, runs)
    await updateDay(tx, row.day, { ...grown, cursor_id: last_id })
    return boxes.length
  }
  const place = Math.floor(tree.size / row.run_length)
  const lastRun = openRun.size > 0 ? [{ place, hash: toHex(treeHash(openRun, sha256)), last_id }] : []
  await insertSubtrees(tx, row.day, [...runs, ...lastRun])
  await publishRoot(tx, { ...row, ...grown }, { tree: treeHash(tree, sha256), now })
  return boxes.length
}

/** The peaks of a tree are those of its full runs, then those of the run that is not full. */
function growRuns(
  { run_length: runLength, box_count: size, peaks: texts }: DayRow,
  leaves: readonly { readonly id: string; readonly hash: Uint8Array }[],
): { readonly tree: BoxTree; readonly runs: readonly Subtree[]; readonly openRun: BoxTree } {
  const peaks = texts.map((peak): Uint8Array => Buffer.from(peak, 'hex'))
  const [fullRuns, rest] = [Math.floor(size / runLength), size % runLength]
  const ofFullRuns = countBits(fullRuns)
  let full: BoxTree = { size: fullRuns, peaks: peaks.slice(0, ofFullRuns) }
  let openRun: BoxTree = { size: rest, peaks: peaks.slice(ofFullRuns) }
  const runs: Subtree[] = []
  for (const { id, hash } of leaves) {
    openRun = appendLeaf(openRun, hash, sha256)
    if (openRun.size < runLength) continue
    const run = treeHash(openRun, sha256)
    runs.push({ place: full.size, hash: toHex(run), last_id: id })
    full = appendLeaf(full, run, sha256)
    openRun = EMPTY_TREE
  }
  return { tree: { size: size + leaves.length, peaks: [...full.peaks, ...openRun.peaks] }, runs, openRun }
}

/** A tree has one peak for each bit of its size. */
function countBits(size: number): number {
  return size.toString(2).replaceAll('0', '').length
}

async function publishRoot(
  tx: Queryable,
  row: DayRow,
  { tree, now }: { readonly tree: Uint8Array; readonly now: Date },
): Promise<void> {
  const { day, commitment, committed_at } = row
  const rule = row.rule ?? 'flat'
  const rules = rulesOfDay(row)
  const root = dayRoot(
    {
      day,
      rule,
      rules,
      commitment:
        commitment !== null && committed_at !== null
          ? { hash: Buffer.from(commitment, 'hex'), publishedAt: committed_at }
          : undefined,
      publishedAt: now,
      boxes: row.box_count,
      tree,
      ledgerSeq: row.ledger_seq ?? 0n,
      entryHash: row.entry_hash ?? '',
      sources: await readPools(tx, day),
    },
    sha256,
  )
  await updateDay(tx, day, {
    peaks: row.peaks,
    box_count: row.box_count,
    tree: toHex(tree),
    boxes_root: toHex(root),
    root_at: now,
    block_not_before: rule === 'flat' ? null : (blockTimeOf(day, now, rules) ?? null),
    cursor_id: '',
    // A flat day needs neither a block nor a seed.
    phase: rule === 'flat' ? 'seeded' : 'rooted',
  })
}
