import type { Queryable } from '@clearwell/ledger/database'
import { type Chain, type ChainDeposit, type ChainWithdrawal, movementId } from '../../platform/chain/chain.ts'
import type { ExitAct } from '../../platform/chain/exit-act.ts'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import { ownersIn } from './entry-kinds.ts'
import { type RestorePlan, RestoreRefused } from './plan-restore.ts'
import type { StoredEntry } from './read-store.ts'

/** The payment of each entry that books one. */
export type Payments = ReadonlyMap<bigint, Payment>
export type Payment = { readonly deposit: ChainDeposit } | { readonly withdrawal: ChainWithdrawal }

const BLOCKS_PER_READ = 2_000n

/** The part of the chain that a restore imports with the entries. */
export interface ChainOfRestore {
  readonly payments: Payments
  /** The vault's roots up to the new cursor, posted and dropped. */
  readonly roots: readonly ExitAct[]
}

/**
 * Finds on the chain the payment of each entry that books one: its log index makes it known, so that the watcher books nothing twice. Finds also
 * the roots that the watcher will not read again.
 *
 * @param operator the operator's address, in lower case.
 * @throws RestoreRefused if a payment is not there, or if blocks up to the new cursor have one that no entry books.
 */
export async function findPayments(
  db: Queryable,
  chain: Chain,
  { entries, right }: Pick<RestorePlan, 'entries' | 'right'>,
  operator: string,
): Promise<ChainOfRestore> {
  const found = new Map<bigint, Payment>()
  const known = await readKnown(db)
  for (const entry of entries) {
    const payment = await findPayment(chain, entry, operator, known)
    if (payment) found.set(entry.seq, payment)
  }
  return { payments: found, roots: await readUpTo(db, chain, right?.cursor?.number, known) }
}

/** Finds the payment of an entry, and adds it to those that are known. */
async function findPayment(
  chain: Chain,
  { seq, kind, reference, postings }: StoredEntry,
  operator: string,
  known: Set<string>,
): Promise<Payment | undefined> {
  const isIn = kind === 'deposit' || kind === 'operator_deposit'
  if (!isIn && kind !== 'withdrawal') return undefined
  const moved = await chain.movementsOf(reference)
  const vault = postings.find(({ account }) => account === 'vault')
  const [owner = operator] = ownersIn(postings)
  const units = (vault?.units ?? 0n) < 0n ? -(vault?.units ?? 0n) : vault?.units
  const isIt = (each: ChainDeposit | ChainWithdrawal) =>
    each.account === owner &&
    each.asset === vault?.asset &&
    each.units === units &&
    !known.has(movementId(chain.id, each))
  const deposit = moved.status === 'mined' && isIn ? moved.deposits.find(isIt) : undefined
  const withdrawal = moved.status === 'mined' && !isIn ? moved.withdrawals.find(isIt) : undefined
  const payment = deposit ?? withdrawal
  if (!payment || payment.replacedVault !== undefined)
    throw new RestoreRefused(`The chain does not have the payment of entry ${seq} in ${reference}.`)
  known.add(movementId(chain.id, payment))
  return deposit ? { deposit } : { withdrawal: withdrawal as ChainWithdrawal }
}

async function readKnown(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>('select id from deposits union all select id from unknown_withdrawals')
  return new Set(rows.map(({ id }) => id))
}

/**
 * The watcher continues after the new cursor, so everything up to it must be booked. Exits have rows that the store does not have.
 *
 * @returns the roots up to the new cursor.
 */
async function readUpTo(
  db: Queryable,
  chain: Chain,
  to: bigint | undefined,
  known: ReadonlySet<string>,
): Promise<readonly ExitAct[]> {
  const cursor = await readCursor(db, chain.id)
  const roots: ExitAct[] = []
  if (to === undefined || cursor === undefined) return roots
  for (let from = cursor.number + 1n; from <= to; from += BLOCKS_PER_READ) {
    const end = from + BLOCKS_PER_READ - 1n < to ? from + BLOCKS_PER_READ - 1n : to
    const { deposits, withdrawals } = await chain.movements({ from, to: end })
    const unbooked = [...deposits, ...withdrawals].find((each) => !known.has(movementId(chain.id, each)))
    if (unbooked) throw new RestoreRefused(`No entry books the payment in ${unbooked.txHash}.`)
    const acts = (await chain.exitActs?.({ from, to: end })) ?? []
    roots.push(...acts.filter(isOfRoot))
    if (!acts.every(isOfRoot))
      throw new RestoreRefused(
        'An account has asked for an exit, or was paid one, after the backup. Restore a later backup.',
      )
  }
  return roots
}

function isOfRoot({ kind }: ExitAct): boolean {
  return kind === 'root' || kind === 'drop'
}
