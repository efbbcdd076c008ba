import type { Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { column, defineTable, forever } from '@clearwell/ledger/table'
import type { ChainBlock } from '../chain/chain.ts'
import { cached } from '../time/cached.ts'
import type { Clock } from '../time/clock.ts'
import type { VaultAsset } from './vault-books.ts'

export const reserveChecks = defineTable('reserve_checks', forever('one row for each chain'), {
  id: column.text,
  checked_at: column.time,
  block_number: column.units,
  block_hash: column.text,
  block_time: column.time,
  ledger_seq: column.bigint,
  entry_hash: column.text,
  assets: column.json<readonly { readonly asset: VaultAsset; readonly vault: string; readonly owed: string }[]>(),
  fault: column.optional(column.textOf<ReserveFault>()),
})

/** How long the last check is served from memory: a follower is not notified of a new one. */
const MAX_AGE_MS = 1_000

/** The vault's holding of one asset beside the ledger's total, in base units. */
export interface ReserveFigures {
  readonly asset: VaultAsset
  /** The vault contract's balance after {@link ReserveCheck.block}. */
  readonly vault: bigint
  /** The total of all accounts of the ledger, after {@link ReserveCheck.entry}. */
  readonly owed: bigint
}

/**
 * One comparison of the ledger with the vault. Its parts belong together: the ledger's totals and the watcher's cursor are
 * read from one snapshot, and the vault is read at the cursor's block. See docs/concepts/proof-of-reserves.md.
 */
export interface ReserveCheck {
  /** When the ledger was read. */
  readonly checkedAt: Date
  readonly block: ChainBlock
  /** The last entry of that snapshot; its hash covers every earlier entry. */
  readonly entry: { readonly seq: bigint; readonly hash: string }
  /** Empty if the ledger itself is at fault, because its totals then prove nothing. */
  readonly figures: readonly ReserveFigures[]
  /** `missing`: the vault holds less than is owed. `ledger`: postings do not add up. `undefined`: the check passed. */
  readonly fault: ReserveFault | undefined
}

export type ReserveFault = 'missing' | 'ledger'

/** The last check of the leader, which every server of the ledger can read. */
export interface ReserveChecks {
  /** Reads it from memory, or at most once a second from the database. `undefined` before the first check. */
  last(): Promise<ReserveCheck | undefined>
  /** Replaces the last check. */
  save(check: ReserveCheck): Promise<void>
}

export function createReserveChecks({
  db,
  clock,
  chainId,
}: {
  readonly db: Queryable
  readonly clock: Clock
  readonly chainId: number
}): ReserveChecks {
  const id = String(chainId)
  const rows = cached({
    read: () =>
      db.query<RowOf<typeof reserveChecks>>(`select ${reserveChecks.columns} from reserve_checks where id = $1`, [id]),
    maxAgeMs: MAX_AGE_MS,
    clock,
  })
  return {
    async last() {
      const [row] = await rows.get('last')
      return row && checkOf(row)
    },
    async save({ checkedAt, block, entry, figures, fault }) {
      const assets = figures.map(({ asset, vault, owed }) => ({ asset, vault: `${vault}`, owed: `${owed}` }))
      await db.query(
        `insert into reserve_checks
           (id, checked_at, block_number, block_hash, block_time, ledger_seq, entry_hash, assets, fault)
         values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)
         on conflict (id) do update set checked_at = excluded.checked_at, block_number = excluded.block_number,
           block_hash = excluded.block_hash, block_time = excluded.block_time, ledger_seq = excluded.ledger_seq,
           entry_hash = excluded.entry_hash, assets = excluded.assets, fault = excluded.fault`,
        [
          id,
          checkedAt.toISOString(),
          block.number.toString(),
          block.hash,
          block.time.toISOString(),
          entry.seq.toString(),
          entry.hash,
          JSON.stringify(assets),
          fault ?? null,
        ],
      )
      rows.drop()
    },
  }
}

function checkOf(row: RowOf<typeof reserveChecks>): ReserveCheck {
  return {
    checkedAt: row.checked_at,
    block: { number: row.block_number, hash: row.block_hash, time: row.block_time },
    entry: { seq: row.ledger_seq, hash: row.entry_hash },
    figures: row.assets.map(({ asset, vault, owed }) => ({ asset, vault: BigInt(vault), owed: BigInt(owed) })),
    fault: row.fault ?? undefined,
  }
}
