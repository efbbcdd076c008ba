import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database } from '@clearwell/ledger/database'
import type { Hex } from '@clearwell/proofs/bytes'
import type { Fees } from './decide-post.ts'
import { type RootTransactionRow, rootTransactions } from './exit.tables.ts'

/** A transaction that was sent, or that was about to be. */
export interface InFlight {
  readonly nonce: number
  /** The number of the header. */
  readonly number: bigint
  /** Of every transaction with this nonce, the newest last. */
  readonly hashes: readonly Hex[]
  readonly raw: Hex
  readonly fees: Fees
  readonly sentAt: Date
}

/** Remembers the transaction in flight, so that a new leader sends no second one. */
export interface InFlightStore {
  read(): Promise<InFlight | undefined>
  write(inFlight: InFlight): Promise<void>
  clear(): Promise<void>
}

export function createInFlightStore(db: Database, chainId: number): InFlightStore {
  const id = String(chainId)
  return {
    async read() {
      const text = `select ${rootTransactions.columns} from root_transactions where id = $1`
      const [row] = await db.query<RootTransactionRow>(text, [id])
      if (!row) return undefined
      const { nonce, number, hashes, raw, max_fee: maxFee, tip, sent_at: sentAt } = row
      const signed = { hashes: hashes as Hex[], raw: raw as Hex }
      return { nonce: Number(nonce), number, ...signed, fees: { maxFee, tip }, sentAt }
    },
    async write({ nonce, number, hashes, raw, fees, sentAt }) {
      await db.query(
        `insert into root_transactions (id, nonce, number, hashes, raw, max_fee, tip, sent_at)
         values ($1, $2, $3, $4::text[], $5, $6, $7, $8)
         on conflict (id) do update set nonce = excluded.nonce, number = excluded.number, hashes = excluded.hashes,
           raw = excluded.raw, max_fee = excluded.max_fee, tip = excluded.tip, sent_at = excluded.sent_at`,
        [id, nonce, `${number}`, arrayLiteral(hashes), raw, `${fees.maxFee}`, `${fees.tip}`, sentAt],
      )
    },
    async clear() {
      await db.query('delete from root_transactions where id = $1', [id])
    },
  }
}
