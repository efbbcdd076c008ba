import type { Answer } from '@clearwell/api/routes'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import type { PendingTransaction } from '../../platform/custody/pending-transactions.ts'
import { type Cursor, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import type { HistoryStore, OrderRow } from './history.store.ts'

export interface TransactionDependencies {
  readonly store: HistoryStore
  /** What has been seen of the user's and is not confirmed. */
  readonly pendingOf: (userId: string) => Promise<readonly PendingTransaction[]>
  readonly requiredConfirmations: number
  /** null where the chain has no explorer. */
  readonly explorerUrl: string | null
}

type Item = Answer<'transactions'>['items'][number]

/**
 * What is not confirmed stands before all that is, by its block. So its place in the list is a time that is far away, and
 * still one that a cursor can hold.
 */
const UNCONFIRMED_MS = Date.UTC(4800, 0)

interface Row {
  /** The place in the list, together with the id. */
  readonly at: Date
  readonly id: string
  readonly item: Item
}

/** All that is on the chain of a user's, newest first, what is not confirmed among it. */
export async function listTransactions(
  deps: TransactionDependencies,
  userId: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Answer<'transactions'>> {
  const after = readCursor(cursor)
  const pending = await deps.pendingOf(userId)
  const confirmed = await deps.store.confirmed(userId, after, limit + 1)
  const known = new Set(confirmed.map((row) => row.id))
  const orders = await deps.store.orders(
    userId,
    pending.flatMap((each) => each.orderId ?? []),
  )
  const rows: Row[] = [
    ...confirmed.map((row) => ({ at: row.at, id: row.id, item: itemOf(deps, { ...row, txHash: row.tx_hash }) })),
    ...pending
      // What was confirmed between the two questions is there already.
      .filter((each) => !known.has(each.id))
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
  // What names another's order, or pays it in another asset, counts for none.
  const order = orders.find((each) => each.id === orderId && each.asset === asset)
  const row =
    direction === 'out'
      ? { kind: 'transfer_out' as const, order_id: orderId }
      : { kind: order?.purpose ?? ('transfer_in' as const), order_id: order?.id ?? null }
  return { ...itemOf(deps, { ...pending, ...row }), status: 'pending', confirmations }
}

/** Newest first, and by their ids, byte by byte, where the times are the same: the order of the database. */
function comesBefore(a: Cursor, b: Cursor): boolean {
  const apartMs = a.at.getTime() - b.at.getTime()
  return apartMs === 0 ? a.id > b.id : apartMs > 0
}

function unconfirmedAt({ block }: PendingTransaction): Date {
  return new Date(UNCONFIRMED_MS + Number(block))
}

/** The colons of a deposit's id do not fit into a cursor; no id has an underscore of its own. */
function writeCursor({ at, id }: Cursor): string {
  return encodeCursor({ at, id: id.replaceAll(':', '_') })
}

function readCursor(text: string | undefined): Cursor | undefined {
  const cursor = decodeCursor(text)
  return cursor && { at: cursor.at, id: cursor.id.replaceAll('_', ':') }
}
