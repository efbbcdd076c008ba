import { toHex } from '@clearwell/rules/box-draw'
import { blockTimeOf } from '@clearwell/rules/box-ladder'
import { appendLeaf, type BoxTree, dayRoot, EMPTY_TREE, leafHash, treeHash } from '@clearwell/rules/box-tree'
import type { DayRow, PoolRow } from '../../domain/boxes/box.tables.ts'
import { type DayBox, rulesOfDay, type Subtree } from './box-day.store.ts'
import { sha256 } from './seeds.ts'

type Grown = Pick<DayRow, 'day' | 'run_length' | 'box_count' | 'peaks' | 'cursor_id'>

/** The tree of a day after a step. */
export interface Growth {
  /** Columns of the day. */
  readonly grown: { readonly peaks: string[]; readonly box_count: number }
  /** The runs that are full now. */
  readonly runs: readonly Subtree[]
  /** The run at the end, if it is not full. */
  readonly lastRun: readonly Subtree[]
  /** The hash of the whole tree. */
  readonly tree: Uint8Array
}

/**
 * Adds boxes to the tree of a day. The trees of runs are stored too: they depend on the day's length of a run only, not on how many boxes a
 * step has.
 *
 * @param boxes the next ones of the day, in the order of their ids.
 */
export function growTree(row: Grown, boxes: readonly DayBox[]): Growth {
  const leaves = boxes.map((box) => ({ id: box.id, hash: leafHash({ day: row.day, ...box }, sha256) }))
  const { tree, runs, openRun } = growRuns(row, leaves)
  const last_id = boxes.at(-1)?.id ?? row.cursor_id
  const place = Math.floor(tree.size / row.run_length)
  return {
    grown: { peaks: tree.peaks.map(toHex), box_count: tree.size },
    runs,
    lastRun: openRun.size > 0 ? [{ place, hash: toHex(treeHash(openRun, sha256)), last_id }] : [],
    tree: treeHash(tree, sha256),
  }
}

/** The peaks of a tree are those of its full runs, then those of the run that is not full. */
function growRuns(
  { run_length: runLength, box_count: size, peaks: texts }: Grown,
  leaves: readonly { readonly id: string; readonly hash: Uint8Array }[],
) {
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
  const tree: BoxTree = { size: size + leaves.length, peaks: [...full.peaks, ...openRun.peaks] }
  return { tree, runs, openRun }
}

/** A tree has one peak for each bit of its size. */
function countBits(size: number): number {
  return size.toString(2).replaceAll('0', '').length
}

/** Returns the columns of a day whose root is published now. */
export function rootedDay(
  row: DayRow,
  { grown, tree }: Growth,
  { pools, now }: { readonly pools: readonly PoolRow[]; readonly now: Date },
) {
  const isFlat = (row.rule ?? 'flat') === 'flat'
  return {
    ...grown,
    tree: toHex(tree),
    boxes_root: rootOf({ ...row, ...grown }, { tree, publishedAt: now, sources: pools }),
    root_at: now,
    block_not_before: isFlat ? null : (blockTimeOf(row.day, now, rulesOfDay(row)) ?? null),
    cursor_id: '',
    // A flat day needs neither a block nor a seed.
    phase: isFlat ? 'seeded' : 'rooted',
  } satisfies Partial<DayRow>
}

/** Computes the root of a day that has closed. */
export function rootOf(
  row: DayRow,
  of: { readonly tree: Uint8Array; readonly publishedAt: Date; readonly sources: readonly PoolRow[] },
): string {
  const { day, commitment, committed_at } = row
  const root = dayRoot(
    {
      day,
      rule: row.rule ?? 'flat',
      rules: rulesOfDay(row),
      commitment:
        commitment !== null && committed_at !== null
          ? { hash: Buffer.from(commitment, 'hex'), publishedAt: committed_at }
          : undefined,
      boxes: row.box_count,
      ledgerSeq: row.ledger_seq ?? 0n,
      entryHash: row.entry_hash ?? '',
      ...of,
    },
    sha256,
  )
  return toHex(root)
}
