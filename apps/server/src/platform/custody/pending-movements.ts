import type { Database, Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { column, defineTable, forever, until } from '@clearwell/ledger/table'
import { type ChainDeposit, type ChainMovements, type ChainWithdrawal, movementId } from '../chain/chain.ts'
import { NOTHING_UNCONFIRMED, type Unconfirmed, unconfirmedAt } from './unconfirmed.ts'

export const pendingMovements = defineTable(
  'pending_movements',
  until('the payment is confirmed or no longer on the chain'),
  {
    id: column.text,
    chain_id: column.text,
    account: column.user('keeps'),
    asset: column.asset,
    units: column.units,
    tx_hash: column.text,
    log_index: column.integer,
    block_number: column.units,
    block_hash: column.text,
    order_id: column.optional(column.text),
    nonce: column.optional(column.units),
  },
)

export const chainHeads = defineTable('chain_heads', forever('one row for each chain'), {
  id: column.text,
  number: column.units,
})

/** The most movements of one account that are read. */
const MAX_READ = 1_000

/** The movements that are on the chain but not confirmed, as of one head. */
export interface UnconfirmedMovements extends ChainMovements {
  /** The block from which confirmations are counted. */
  readonly head: bigint
}

type PendingRow = Omit<RowOf<typeof pendingMovements>, 'chain_id'>

/** Shares unconfirmed movements with the other servers of the ledger, through their database. */
export interface PendingMovements {
  /** Replaces the stored movements. Writes only the difference from the call before. */
  replace(found: UnconfirmedMovements): Promise<void>
  /** Another server has written since, so the next call replaces everything. */
  forget(): void
}

export function createPendingMovements(db: Database, chainId: number): PendingMovements {
  /** The stored blocks by movement; `undefined` while another server's rows may be stored. */
  let stored: Map<string, string> | undefined
  return {
    forget() {
      stored = undefined
    },
    async replace({ head, deposits, withdrawals }) {
      const rows = [
        ...deposits.map((each) => rowOf(chainId, each, { order_id: each.orderId, nonce: null })),
        ...withdrawals.map((each) => rowOf(chainId, each, { order_id: null, nonce: each.nonce })),
      ]
      if (stored?.size === 0 && rows.length === 0) return
      const before = stored
      const kept = new Map(rows.map((row) => [row.id, row.block_hash]))
      const added = rows.filter((row) => before?.get(row.id) !== row.block_hash)
      const removed = before && [...before.keys()].filter((id) => !kept.has(id))
      // A failed write leaves the rows unknown.
      stored = undefined
      await db.transaction(async (tx) => {
        if (!removed) await tx.query('delete from pending_movements where chain_id = $1', [String(chainId)])
        else if (removed.length > 0)
          await tx.query('delete from pending_movements where id = any($1::text[])', [removed])
        if (added.length > 0) await insert(tx, chainId, added)
        await tx.query(
          'insert into chain_heads (id, number) values ($1, $2) on conflict (id) do update set number = excluded.number',
          [String(chainId), head.toString()],
        )
      })
      stored = kept
    },
  }
}

/**
 * Reads a wallet's unconfirmed movements. Rows at or before the watcher's cursor are confirmed, so a payment is never both
 * booked and unconfirmed, and rows that an earlier leader left are ignored.
 */
export async function readUnconfirmed(db: Queryable, chainId: number, userId: string): Promise<Unconfirmed> {
  const rows = await db.query<PendingRow & { head: bigint }>(
    `select pending.*, chain_heads.number as head from pending_movements pending
       join chain_heads on chain_heads.id = pending.chain_id
       left join chain_cursors cursor on cursor.id = pending.chain_id
     where pending.account = $1 and pending.chain_id = $2 and pending.block_number > coalesce(cursor.number, -1)
     order by pending.block_number desc limit ${MAX_READ}`,
    [userId, String(chainId)],
  )
  const [newest] = rows
  if (!newest) return NOTHING_UNCONFIRMED
  const deposits: ChainDeposit[] = []
  const withdrawals: ChainWithdrawal[] = []
  // In the order of the chain.
  for (const row of rows.toReversed()) {
    const { tx_hash: txHash, log_index: logIndex, block_number: blockNumber, block_hash: blockHash } = row
    const { account, asset, units, nonce, order_id: orderId } = row
    const shared = { txHash, logIndex, blockNumber, blockHash, account, asset, units }
    if (nonce === null) deposits.push({ ...shared, orderId })
    else withdrawals.push({ ...shared, nonce })
  }
  return unconfirmedAt(newest.head, { deposits, withdrawals })
}

function rowOf(
  chainId: number,
  movement: ChainDeposit | ChainWithdrawal,
  of: Pick<PendingRow, 'order_id' | 'nonce'>,
): PendingRow {
  const { account, asset, units, txHash, logIndex, blockNumber, blockHash } = movement
  return {
    id: movementId(chainId, movement),
    account,
    asset,
    units,
    tx_hash: txHash,
    log_index: logIndex,
    block_number: blockNumber,
    block_hash: blockHash,
    ...of,
  }
}

async function insert(tx: Queryable, chainId: number, rows: readonly PendingRow[]): Promise<void> {
  await tx.query(
    `insert into pending_movements
       (chain_id, id, account, asset, units, tx_hash, log_index, block_number, block_hash, order_id, nonce)
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::numeric[], $6::text[], $7::integer[],
       $8::numeric[], $9::text[], $10::text[], $11::numeric[])
     on conflict (id) do update set block_number = excluded.block_number, block_hash = excluded.block_hash`,
    [
      String(chainId),
      rows.map((row) => row.id),
      rows.map((row) => row.account),
      rows.map((row) => row.asset),
      rows.map((row) => row.units.toString()),
      rows.map((row) => row.tx_hash),
      rows.map((row) => row.log_index),
      rows.map((row) => row.block_number.toString()),
      rows.map((row) => row.block_hash),
      rows.map((row) => row.order_id),
      rows.map((row) => row.nonce?.toString() ?? null),
    ],
  )
}
