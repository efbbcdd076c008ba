import { type StateKey, write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import { HEADER_TIME, headerTimes } from '../../platform/ledger/header-age.ts'
import { HEADER_KEYS, writeHeaderTimes } from '../../platform/ledger/repayment-stop.ts'
import { proofHeaderBodies } from './proof.tables.ts'

/** The roots that the vault has, by its own events up to the watcher's cursor. */
export const postedRoots = defineWriterTable(
  'posted_roots',
  forever('one row for each post: about one an hour, and one for each transfer out'),
  {
    /** The vault and the count of posts: a reorganisation can give a count to another root. */
    id: column.text,
    /** In lower case. */
    vault: column.text,
    /** Counts the posts. */
    seq: column.bigint,
    /** The number of the header. */
    number: column.bigint,
    /** The hash of the header, as the vault has it. */
    header_hash: column.text,
    posted_at: column.time,
    tx_hash: column.text,
    block: column.units,
    /** The owner dropped it, or a reorganisation removed it: it is no base of an exit. */
    is_void: column.boolean,
  },
)
export type PostedRootRow = RowOf<typeof postedRoots>

/** A post of a root, as the vault's event has it. */
export interface RootPost {
  /** In lower case. */
  readonly vault: string
  readonly seq: number
  readonly number: bigint
  readonly headerHash: string
  readonly postedAt: Date
  readonly txHash: string
  readonly blockNumber: bigint
  /** The header of this number in the ledger has the same hash. */
  readonly isOwn: boolean
}

/** Lists what {@link bookRoot} reads. */
export function listRootKeys({ vault, seq, number }: Pick<RootPost, 'vault' | 'seq' | 'number'>): StateKey[] {
  return [{ table: postedRoots, id: postId(vault, seq) }, { table: proofHeaderBodies, id: `${number}` }, ...HEADER_KEYS]
}

/**
 * Records that a root is on the chain, and writes it back to its header. Both stops count from that header. Blocks that are read again
 * change nothing.
 */
export function bookRoot(draft: Draft, post: RootPost, now: Date): void {
  const { vault, seq, number, headerHash, postedAt, txHash, blockNumber, isOwn } = post
  const root = { id: postId(vault, seq), vault, seq: BigInt(seq), number, header_hash: headerHash, posted_at: postedAt }
  draft.add({ rows: [write(postedRoots, { ...root, tx_hash: txHash, block: blockNumber, is_void: false })] })
  const body = isOwn ? draft.row(proofHeaderBodies, `${number}`) : undefined
  if (!body) return
  draft.add({ rows: [write(proofHeaderBodies, { ...body, tx_hash: txHash, posted_at: postedAt })] })
  const provenAt = draft.row(headerTimes, HEADER_TIME.id)?.root_made_at
  // Blocks that are read again have older roots too, and so has a vault that the ledger has left.
  if (provenAt && body.made_at < provenAt) return
  draft.add({ rows: writeHeaderTimes(draft, { root_made_at: body.made_at, root_id: root.id }, now) })
}

/** Records that the owner has dropped roots. Their headers were on the chain, and stay, but an exit pays by an older one. */
export function dropRoots(draft: Draft, ids: readonly string[], now: Date): void {
  for (const id of ids) voidRoot(draft, id, now)
}

/** Takes back that a root is on the chain, because a reorganisation has removed it. */
export function takeBackRoot(draft: Draft, id: string, now: Date): void {
  const root = voidRoot(draft, id, now)
  const body = root && draft.row(proofHeaderBodies, `${root.number}`)
  if (!body || body.tx_hash !== root.tx_hash) return
  draft.add({ rows: [write(proofHeaderBodies, { ...body, tx_hash: null, posted_at: null })] })
}

function voidRoot(draft: Draft, id: string, now: Date): PostedRootRow | undefined {
  const root = draft.row(postedRoots, id)
  if (!root) return undefined
  draft.add({ rows: [write(postedRoots, { ...root, is_void: true })] })
  const counted = draft.row(headerTimes, HEADER_TIME.id)
  if (counted?.root_id !== id) return root
  const before = findRootBefore(draft, root)
  // Before the first root no exit is paid, so there the time stays.
  const root_made_at = before?.madeAt ?? counted.root_made_at
  draft.add({ rows: writeHeaderTimes(draft, { root_id: before?.id ?? null, root_made_at }, now) })
  return root
}

/** Finds the newest root before one, with the time of its header. */
function findRootBefore(draft: Draft, { vault, seq }: PostedRootRow): { id: string; madeAt: Date } | undefined {
  for (let before = seq - 1n; before > 0n; before--) {
    const row = draft.row(postedRoots, postId(vault, before))
    const body = row && !row.is_void ? draft.row(proofHeaderBodies, `${row.number}`) : undefined
    // A header of another ledger is in no row.
    if (row && body?.tx_hash === row.tx_hash) return { id: row.id, madeAt: body.made_at }
  }
  return undefined
}

/** Names a post of a vault. */
export function postId(vault: string, seq: number | bigint): string {
  return `${vault}:${seq}`
}
