import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database } from '@clearwell/ledger/database'
import { findOwnHeaders } from '../../domain/proofs/find-posted-roots.ts'
import { type ExitPaymentRow, exitPayments } from '../../platform/custody/exit-payments.ts'
import type { ExitRow } from '../../platform/ledger/leaving-accounts.ts'
import { findOwing, readAdvances } from './exit-advances.ts'
import { findMissing, type PaymentPlace } from './missing-payments.ts'

/** Open exits that are looked at together. Each cost its account gas. */
const MOST_OPEN = 1_000

export type ExitStore = ReturnType<typeof createExitStore>

/** @param vault the ledger's, in lower case; absent: exits of other vaults count as well. */
export function createExitStore(db: Database, vault?: string) {
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  return {
    /** Returns those of these accounts that exist. */
    known: async (accounts: readonly string[]): Promise<ReadonlySet<string>> =>
      accounts.length === 0
        ? new Set()
        : new Set(ids(await db.query('select id from users where id = any($1::text[])', [arrayLiteral(accounts)]))),

    /** Of these headers, returns the numbers of those that the ledger has. */
    ownHeaders: (headers: Parameters<typeof findOwnHeaders>[1]) => findOwnHeaders(db, headers),

    /** Returns the accounts whose exit depends on blocks after this one. */
    unsettled: async (cursor: bigint): Promise<string[]> =>
      ids(
        await db.query(
          `select id from exits where state in ('requested', 'cancelling') or (state = 'open' and block > $1)
           order by id limit ${MOST_OPEN}`,
          [cursor.toString()],
        ),
      ),

    /** Returns the accounts that leave. */
    leaving: async (): Promise<string[]> =>
      ids(await db.query(`select id from exits where state <> 'closed' order by id limit ${MOST_OPEN}`)),

    /** Returns accounts with a higher number than this, the first that were created first. */
    createdAfter: (number: bigint, limit: number): Promise<{ id: string; number: bigint }[]> =>
      db.query('select id, number from users where number > $1 order by number limit $2', [`${number}`, limit]),

    /** Returns the number of the newest account; 0 without one. */
    newestNumber: async (): Promise<bigint> =>
      (await db.query<{ number: bigint }>('select number from users order by number desc limit 1'))[0]?.number ?? 0n,

    /** Returns payments that are not wholly booked. */
    missingPayments: (after: PaymentPlace | undefined) => findMissing(db, after),

    /** Returns accounts whose exit is open at a vault. */
    openAt: async (replaced: string): Promise<string[]> =>
      ids(
        await db.query(`select id from exits where state <> 'closed' and vault = $1 order by id limit ${MOST_OPEN}`, [
          replaced,
        ]),
      ),

    /** Returns the open exits at the ledger's vault that were requested until then: their base is fixed. */
    requestedUntil: (time: Date): Promise<Pick<ExitRow, 'id' | 'exit_at'>[]> =>
      db.query(
        `select id, exit_at from exits where state in ('open', 'cancelling') and exit_at <= $1
           and coalesce(vault = $2, true) order by id limit ${MOST_OPEN}`,
        [time, vault ?? null],
      ),

    /** Returns accounts that owe an advance and have something to give back. */
    owing: (after: string | undefined) => findOwing(db, after),

    /** Returns what an account owes. */
    advancesOf: (userId: string) => readAdvances(db, userId),

    /** Returns what an account was paid, the newest first. */
    paymentsOf: (userId: string, limit: number): Promise<ExitPaymentRow[]> =>
      db.query(
        `select ${exitPayments.columns} from exit_payments
         where user_id = $1 and taken_back_at is null order by booked_at desc, id limit $2`,
        [userId, limit],
      ),
  }
}
