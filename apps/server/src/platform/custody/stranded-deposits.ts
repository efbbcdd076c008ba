import { type Context, type StateKey, write } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import type { Draft } from '@clearwell/ledger/draft'
import type { RowOf } from '@clearwell/ledger/table'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import { type ChainDeposit, movementId } from '../chain/chain.ts'
import { deposits } from './deposits.ts'

/** Deposits into a replaced vault, by {@link movementId}. They are credited once the operator has moved their money. */
export const strandedDeposits = defineWriterTable(
  'stranded_deposits',
  forever('money of users that reached a replaced vault; normally empty'),
  {
    id: column.text,
    /** The replaced vault, in lower case. */
    vault: column.text,
    user_id: column.user('keeps'),
    asset: column.asset,
    units: column.units,
    tx_hash: column.text,
    log_index: column.integer,
    block_number: column.units,
    order_id: column.optional(column.text),
    seen_at: column.time,
    credited_at: column.optional(column.time),
  },
)

/** A deposit into a replaced vault that is not credited yet. */
export interface StrandedDeposit {
  readonly deposit: ChainDeposit
  /** True if it was recorded for the first time. */
  readonly isNew: boolean
}

/** Lists the state that {@link strandDeposit} reads beside the keys of a credit. */
export function listStrandedKeys(chainId: number, deposit: ChainDeposit): StateKey[] {
  return deposit.replacedVault === undefined ? [] : [{ table: strandedDeposits, id: movementId(chainId, deposit) }]
}

/**
 * Records a deposit into a replaced vault.
 *
 * @returns `undefined` for a deposit into the vault of today, and for one that is credited.
 */
export function strandDeposit(
  chainId: number,
  draft: Draft,
  { now }: Context,
  deposit: ChainDeposit,
): StrandedDeposit | undefined {
  const { replacedVault: vault, account, asset, units, txHash, logIndex, blockNumber, orderId } = deposit
  if (vault === undefined) return undefined
  const id = movementId(chainId, deposit)
  const credit = draft.row(deposits, id)
  if (credit && !credit.taken_back_at) return undefined
  if (draft.row(strandedDeposits, id)?.credited_at === null) return { deposit, isNew: false }
  const row = {
    id,
    vault,
    user_id: account,
    asset,
    units,
    tx_hash: txHash,
    log_index: logIndex,
    block_number: blockNumber,
    order_id: orderId,
    seen_at: now,
    credited_at: null,
  }
  draft.add({ rows: [write(strandedDeposits, row)] })
  return { deposit, isNew: true }
}

export type StrandedRow = RowOf<typeof strandedDeposits>

/** Reads the deposits into replaced vaults that wait for their credit, oldest first. */
export function readStranded(
  db: Queryable,
  { txHash, limit }: { readonly txHash?: string | undefined; readonly limit: number },
): Promise<StrandedRow[]> {
  return db.query<StrandedRow>(
    `select ${strandedDeposits.columns} from stranded_deposits
     where credited_at is null and ($1::text is null or tx_hash = $1) order by block_number, id limit $2`,
    [txHash ?? null, limit],
  )
}
