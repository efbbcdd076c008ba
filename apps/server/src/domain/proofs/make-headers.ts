import type { Database, Queryable } from '@clearwell/ledger/database'
import { readTip } from '@clearwell/ledger/reads'
import type { Writer } from '@clearwell/ledger/writer'
import type { Hex } from '@clearwell/proofs/bytes'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { HEAD, type ProofHead, proofHeads } from './proof.tables.ts'
import type { MadeHeader } from './proof-books.ts'
import { type Refusal, recordHeader, recordStatement } from './record-header.ts'

/** Between two headers, in milliseconds: while a transfer out waits, when something changed, when only the cursor moved. */
const WAITING_MS = 1_000
const CHANGED_MS = 10_000
const CURSOR_MS = 600_000
/** A bookkeeper signs no header whose block is an hour old. It gets the rest of the hour to judge. */
const MAX_CURSOR_AGE_MS = 3_000_000

export interface HeaderSigner {
  readonly address: Hex
  sign(hash: Hex): Promise<Hex>
}

/** A bookkeeper's statement about a header, if there is one yet. */
export type BookStatement = { readonly signature: Hex } | { readonly refusal: Refusal } | 'none'

/** Asks a bookkeeper about a recorded header. What it returns was signed by the bookkeeper's key. */
export type AskBookkeeper = (header: { readonly number: bigint; readonly hash: Hex }) => Promise<BookStatement>

export interface HeaderDependencies {
  readonly db: Database
  readonly writer: Pick<Writer, 'execute'>
  readonly clock: Clock
  readonly chainId: number
  /** With a vault with exits: trading stops by the age of its newest root. */
  readonly rootsCount?: boolean | undefined
  /** Makes the header of the committed ledger; `undefined` before the watcher has read a block. */
  readonly make: () => Promise<MadeHeader | undefined>
  readonly signer: HeaderSigner
  /** Absent: the root key signs alone. */
  readonly askBookkeeper?: AskBookkeeper | undefined
}

/**
 * Makes the next header if one is due, records it, and has it signed. Every step continues what an earlier one, or an earlier leader,
 * left unfinished: a recorded header is signed before another one is made.
 *
 * @param force makes a header although none is due.
 * @returns the number of the header that was signed.
 */
export async function makeDueHeader(deps: HeaderDependencies, { force = false } = {}): Promise<bigint | undefined> {
  const { db, writer, chainId, rootsCount = false, make } = deps
  const head = await readHead(db)
  if (head && !head.is_signed) return signHeader(deps, head)
  if (!force && !(await isDue(deps, head))) return undefined
  const made = await make()
  if (!made) return undefined
  const { recorded } = await writer.execute(recordHeader(made, { chainId, rootsCount }))
  // Another server was faster.
  if (!recorded) return undefined
  return signHeader(deps, { number: made.header.number, hash: made.hash })
}

async function readHead(db: Queryable): Promise<ProofHead | undefined> {
  const [head] = await db.query<ProofHead>(`select ${proofHeads.columns} from proof_heads where id = $1`, [HEAD])
  return head
}

/** Has a header signed by both keys, the bookkeeper's first. A header that it refuses is signed by none, and the next one may follow. */
async function signHeader(
  { writer, signer, askBookkeeper }: HeaderDependencies,
  { number, hash }: { readonly number: bigint; readonly hash: string },
): Promise<bigint | undefined> {
  const statement = await askBookkeeper?.({ number, hash: hash as Hex })
  if (statement === 'none') return undefined
  if (statement && 'refusal' in statement) {
    await writer.execute(recordStatement(number, { refusal: statement.refusal }))
    return undefined
  }
  const root = await signer.sign(hash as Hex)
  const { recorded } = await writer.execute(recordStatement(number, { root, bookkeeper: statement?.signature ?? null }))
  return recorded ? number : undefined
}

/** Returns whether the watcher's last block is recent enough for a header. */
export async function isCursorRecent({
  db,
  clock,
  chainId,
}: Pick<HeaderDependencies, 'db' | 'clock' | 'chainId'>): Promise<boolean> {
  const cursor = await readCursor(db, chainId)
  return cursor !== undefined && clock.now().getTime() - cursor.time.getTime() <= MAX_CURSOR_AGE_MS
}

async function isDue(deps: HeaderDependencies, head: ProofHead | undefined): Promise<boolean> {
  const { db, clock } = deps
  const nowMs = clock.now().getTime()
  // The node is away, or the local chain has just been started again.
  if (!(await isCursorRecent(deps))) return false
  if (!head) return true
  const ageMs = nowMs - head.made_at.getTime()
  if (ageMs < WAITING_MS) return false
  // The books that were refused are still there: another header of them would be refused too.
  if (await isRefused(db, head)) return ageMs >= CURSOR_MS
  if (await hasChanged(db, head)) return ageMs >= CHANGED_MS || (await isTransferWaiting(db))
  return ageMs >= CURSOR_MS
}

async function isRefused(db: Queryable, head: ProofHead): Promise<boolean> {
  const rows = await db.query('select 1 from proof_header_bodies where id = $1 and book_refusal is not null', [
    head.number.toString(),
  ])
  return rows.length > 0
}

async function hasChanged(db: Queryable, head: ProofHead): Promise<boolean> {
  if ((await readTip(db)).seq > head.ledger_seq) return true
  const [row] = await db.query("select 1 from proof_changes where id = 'last' and last > $1", [head.change.toString()])
  return row !== undefined
}

/** A transfer out is locked and has no voucher yet. */
async function isTransferWaiting(db: Queryable): Promise<boolean> {
  const rows = await db.query("select 1 from withdrawal_orders where status = 'locked' limit 1")
  return rows.length > 0
}
