import type { Queryable } from '@clearwell/ledger/database'
import type { ExitPayment } from '../../features/exit/book-payment.ts'
import { isChange, paymentOf } from '../../features/exit/exit-follower.ts'
import type { ExitChange } from '../../features/exit/follow-exits.ts'
import {
  type Chain,
  type ChainDeposit,
  type ChainWithdrawal,
  type Custody,
  movementId,
} from '../../platform/chain/chain.ts'
import type { ExitAct } from '../../platform/chain/exit-act.ts'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import { ownersIn } from './entry-kinds.ts'
import type { RestorePlan } from './plan-restore.ts'
import type { StoredEntry } from './read-store.ts'
import { RestoreRefused } from './restore-refused.ts'

/** The payment of each entry that books one. */
export type Payments = ReadonlyMap<bigint, Payment>
export type Payment =
  | { readonly deposit: ChainDeposit }
  | { readonly withdrawal: ChainWithdrawal }
  | { readonly exit: ExitPayment }

type Site = Pick<Custody, 'operator' | 'tokens'>

const BLOCKS_PER_READ = 2_000n

/** The part of the chain that a restore imports with the entries. */
export interface ChainOfRestore {
  readonly payments: Payments
  /** The vault's roots up to the new cursor, posted and dropped. */
  readonly roots: readonly ExitAct[]
  /** Requests and cancels of exits up to there. */
  readonly changes: readonly ExitChange[]
  /** The vault's payments to accounts that left, up to there. One without an entry found nothing that it could take. */
  readonly exits: readonly ExitPayment[]
}

/**
 * Finds on the chain the payment of each entry that books one: its log index makes it known, so that the watcher books nothing twice. Finds also
 * the roots that the watcher will not read again.
 *
 * @param custody with the operator's address in lower case.
 * @throws RestoreRefused if a payment is not there, or if blocks up to the new cursor have one that no entry books.
 */
export async function findPayments(
  db: Queryable,
  chain: Chain,
  { entries, right }: Pick<RestorePlan, 'entries' | 'right'>,
  custody: Site,
): Promise<ChainOfRestore> {
  const found = new Map<bigint, Payment>()
  const known = await readKnown(db)
  for (const entry of entries) {
    const payment = await findPayment(chain, entry, custody, known)
    if (payment) found.set(entry.seq, payment)
  }
  return { payments: found, ...(await readUpTo(db, chain, right?.cursor?.number, { known, custody })) }
}

/** Finds the payment of an entry, and adds it to those that are known. */
async function findPayment(
  chain: Chain,
  entry: StoredEntry,
  custody: Site,
  known: Set<string>,
): Promise<Payment | undefined> {
  const { seq, kind, reference, postings } = entry
  if (kind === 'exit') return { exit: await findExit(chain, entry, custody) }
  const isIn = kind === 'deposit' || kind === 'operator_deposit'
  if (!isIn && kind !== 'withdrawal') return undefined
  const moved = await chain.movementsOf(reference)
  const vault = postings.find(({ account }) => account === 'vault')
  const [owner = custody.operator] = ownersIn(postings)
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

/** Finds the payment of an entry of an exit. Two entries can be of one payment. */
async function findExit(chain: Chain, { seq, reference, postings }: StoredEntry, custody: Site): Promise<ExitPayment> {
  const moved = await chain.movementsOf(reference)
  const { number = undefined } = moved.status === 'mined' ? moved.block : {}
  const acts = number === undefined ? [] : ((await chain.exitActs?.({ from: number, to: number })) ?? [])
  const [owner] = ownersIn(postings)
  const found = paymentsIn(acts, chain.id, custody).find(
    ({ txHash, account, asset }) => txHash === reference && account === owner && asset === postings[0]?.asset,
  )
  if (!found) throw new RestoreRefused(`The chain does not have the payment of entry ${seq} in ${reference}.`)
  return found
}

const paymentsIn = (acts: readonly ExitAct[], chainId: number, custody: Site) =>
  acts.flatMap((act) => paymentOf(act, { chainId, custody }) ?? [])

/**
 * The watcher continues after the new cursor, so everything up to it must be booked.
 *
 * @returns the roots and the exits up to the new cursor.
 */
async function readUpTo(
  db: Queryable,
  chain: Chain,
  to: bigint | undefined,
  { known, custody }: { readonly known: ReadonlySet<string>; readonly custody: Site },
): Promise<Omit<ChainOfRestore, 'payments'>> {
  const cursor = await readCursor(db, chain.id)
  const acts: ExitAct[] = []
  for (let from = (cursor?.number ?? 0n) + 1n; cursor && to !== undefined && from <= to; from += BLOCKS_PER_READ) {
    const end = from + BLOCKS_PER_READ - 1n < to ? from + BLOCKS_PER_READ - 1n : to
    const { deposits, withdrawals } = await chain.movements({ from, to: end })
    const unbooked = [...deposits, ...withdrawals].find((each) => !known.has(movementId(chain.id, each)))
    if (unbooked) throw new RestoreRefused(`No entry books the payment in ${unbooked.txHash}.`)
    acts.push(...((await chain.exitActs?.({ from, to: end })) ?? []))
  }
  const roots = acts.filter(({ kind }) => kind === 'root' || kind === 'drop')
  return { roots, changes: acts.filter(isChange), exits: paymentsIn(acts, chain.id, custody) }
}
