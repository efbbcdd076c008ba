import type { ResponseOf } from '@clearwell/api/routes'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import type { PendingTransaction } from '../../platform/custody/pending-transactions.ts'
import type { Cursor } from '../../platform/database/page.ts'
import { decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import type { HistoryStore, OrderRow } from './history.store.ts'

export interface TransactionDependencies {
  readonly store: HistoryStore
  /** The user's payments on the chain that are not confirmed yet. */
  readonly pendingOf: (userId: string) => Promise<readonly PendingTransaction[]>
  readonly requiredConfirmations: number
  /** null if the chain has no explorer. */
  readonly explorerUrl: string | null
}

type Item = ResponseOf<'transactions'>['items'][number]

/**
 * Unconfirmed payments sort by block, before all confirmed ones. So they sort by a time far in the future that still
 * fits into a cursor.
 */
const UNCONFIRMED_MS = Date.UTC(4800, 0)

interface Row {
  /** The sort key, together with the id. */
  readonly at: Date
  readonly id: string
  readonly item: Item
}

/** Lists a user's payments on the chain, newest first, including unconfirmed ones. */
export async function listTransactions(
  deps: TransactionDependencies,
  userId: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<ResponseOf<'transactions'>> {
  const after = readCursor(cursor)
  const pending = await deps.pendingOf(userId)
  const confirmed = await deps.store.confirmed(userId, after, limit + 1)
  const confirmedIds = new Set(confirmed.map((row) => row.id))
  const orders = await deps.store.orders(
    userId,
    pending.flatMap((each) => each.orderId ?? []),
  )
  const rows: Row[] = [
    ...confirmed.map((row) => ({ at: row.at, id: row.id, item: itemOf(deps, { ...row, txHash: row.tx_hash }) })),
    ...pending
      // Payments confirmed between the two reads are already in `confirmed`.
      .filter((each) => !confirmedIds.has(each.id))
      .map((each) => ({ at: unconfirmedAt(each), id: each.id, item: pendingItem(deps, each, orders) }))
      .filter((row) => after === undefined || comesBefore(after, row)),
  ]
  rows.sort((a, b) => (comesBefore(a, b) ? -1 : 1))
  return pageOf(rows.slice(0, limit + 1), limit, (row) => row.item, writeCursor)
}

function itemOf(
  { requiredConfirmations: required, explorerUrl }: TransactionDependencies,
  row: { kind: Item['kind']; asset: AssetId; units: bigint; txHash: string; order_id: string | null; at: Date },
): Item {
  return {
    kind: row.kind,
    asset: row.asset,
    amount: formatUnits(row.units, ASSET_DECIMALS[row.asset]),
    tx_hash: row.txHash,
    explorer_url: explorerUrl === null ? null : `${explorerUrl.replace(/\/$/, '')}/tx/${row.txHash}`,
    status: 'confirmed',
    confirmations: required,
    required,
    order_id: row.order_id,
    created_at: row.at.toISOString(),
  }
}

function pendingItem(deps: TransactionDependencies, pending: PendingTransaction, orders: readonly OrderRow[]): Item {
  const { direction, orderId, asset, confirmations } = pending
  // A payment in another asset, or for another user's order, has no order.
  const order = orders.find((each) => each.id === orderId && each.asset === asset)
  const row =
    direction === 'out'
      ? { kind: 'transfer_out' as const, order_id: orderId }
      : { kind: order?.purpose ?? ('transfer_in' as const), order_id: order?.id ?? null }
  return { ...itemOf(deps, { ...pending, ...row }), status: 'pending', confirmations }
}

/** Sorts newest first, then by id byte by byte, as the database does. */
function comesBefore(a: Cursor, b: Cursor): boolean {
  const apartMs = a.at.getTime() - b.at.getTime()
  return apartMs === 0 ? a.id > b.id : apartMs > 0
}

function unconfirmedAt({ block }: PendingTransaction): Date {
  return new Date(UNCONFIRMED_MS + Number(block))
}

/** Replaces colons, which a cursor cannot hold. No id contains an underscore. */
function writeCursor({ at, id }: Cursor): string {
  return encodeCursor({ at, id: id.replaceAll(':', '_') })
}

function readCursor(text: string | undefined): Cursor | undefined {
  const cursor = decodeCursor(text)
  return cursor && { at: cursor.at, id: cursor.id.replaceAll('_', ':') }
}
