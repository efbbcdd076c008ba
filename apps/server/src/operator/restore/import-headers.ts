import { type Command, type Context, type RowWrite, type StateKey, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { HEAD, proofData, proofHeaderBodies, proofHeaders, proofHeads } from '../../domain/proofs/proof.tables.ts'
import type { ReadRoots } from '../../features/exit/exit-follower.ts'
import { chainCursors } from '../../platform/custody/chain-cursors.ts'
import { proofChanges } from '../../platform/custody/proof-places.ts'
import { HEADER_KEYS, writeHeaderTimes } from '../../platform/ledger/repayment-stop.ts'
import { type RestoreRow, restores } from '../../platform/ledger/restores.ts'
import type { RestorePlan } from './plan-restore.ts'
import type { StoredHeader } from './read-store.ts'

const HEAD_KEY = { table: proofHeads, id: HEAD }

/** Exits of the blocks up to the new cursor. */
export interface BookedExits {
  readonly preload: readonly StateKey[]
  readonly book: (draft: Draft, context: Context) => void
}

/** Marks the ledger as half restored: no server starts on it. */
export function beginRestore(row: Omit<RestoreRow, 'finished_at'>): Command<null> {
  return {
    ...{ kind: 'restore_begin', owner: 'restore', payload: {}, preload: [] },
    decide: () => ({ rows: [write(restores, { ...row, finished_at: null })], response: null }),
  }
}

/**
 * Records the headers with their proof data and signatures, the roots of the vault and its exits, moves the watcher's cursor to the block of the newest right one, and ends the
 * restore: the next header follows the newest of the store.
 *
 * @param of.change the last change of an account's place that the bookkeeper has. The next account gets a later one.
 */
export function finishRestore(
  { headers, newest, right }: RestorePlan,
  of: {
    readonly chainId: number
    readonly change: bigint
    readonly restoreId: string
    readonly now: Date
    readonly roots: ReadRoots
    readonly exits: BookedExits
  },
): Command<null> {
  const cursorId = `${of.chainId}`
  return {
    ...{ kind: 'restore_end', owner: 'restore', payload: {} },
    preload: [
      HEAD_KEY,
      ...HEADER_KEYS,
      { table: restores, id: of.restoreId },
      { table: chainCursors, id: cursorId },
      { table: proofChanges, id: 'last' },
      ...of.roots.preload,
      ...of.exits.preload,
    ],
    decide(state, context) {
      const rows: RowWrite[] = headers.flatMap(headerRows)
      const head = state.row(proofHeads, HEAD)
      if (newest && (head === undefined || newest.number >= head.number)) {
        const { number, hash, ledgerSeq, dataHash, root, refusal } = newest
        if (dataHash === undefined) throw new Error('the newest header has no fields')
        rows.push(
          write(proofHeads, {
            ...{ id: HEAD, number, hash, data_hash: dataHash, ledger_seq: ledgerSeq, made_at: timeOf(newest) },
            // Of the database's own header: each place and counter that has changed since goes into the next one.
            change: head?.change ?? 0n,
            is_signed: root !== null || refusal !== null,
          }),
        )
      }
      const cursor = state.row(chainCursors, cursorId)
      if (right?.cursor && (cursor === undefined || right.cursor.number > cursor.number))
        rows.push(write(chainCursors, { id: cursorId, ...right.cursor }))
      const signed = headers.findLast(({ root }) => root !== null)
      if (signed) rows.push(...writeHeaderTimes(state, { made_at: timeOf(signed) }, of.now))
      const last = state.row(proofChanges, 'last')?.last ?? 0n
      if (of.change > last) rows.push(write(proofChanges, { id: 'last', last: of.change }))
      const restore = state.row(restores, of.restoreId)
      if (!restore) throw new Error('the restore has no row')
      rows.push(write(restores, { ...restore, finished_at: of.now }))
      const draft = new Draft(state)
      draft.add({ rows })
      of.roots.book(draft, context)
      of.exits.book(draft, context)
      return draft.plan(null)
    },
  }
}

/** The store has no time of a header but that of its block. */
const timeOf = ({ cursor }: StoredHeader): Date => cursor?.time ?? new Date(0)

function headerRows(header: StoredHeader): RowWrite[] {
  const {
    number,
    previous,
    hash,
    ledgerSeq,
    fields,
    lines: covered,
    block,
    quarter,
    root,
    bookkeeper,
    refusal,
  } = header
  const id = `${number}`
  const made_at = timeOf(header)
  const rows: RowWrite[] = [
    write(proofHeaders, { id, number, previous, hash, ledger_seq: ledgerSeq, made_at }),
    write(proofData, { id, number, quarter, block }),
  ]
  if (fields === null) return rows
  const lines = covered && JSON.stringify(covered)
  const signatures = { root_signature: root, book_signature: bookkeeper, book_refusal: root === null ? refusal : null }
  rows.push(
    write(proofHeaderBodies, { id, header: fields, ...signatures, tx_hash: null, posted_at: null, made_at, lines }),
  )
  return rows
}
