import type { EntryKind } from '@clearwell/api/parts'
import type { ListItem } from '../../api/use-list-call.ts'
import { type LogEntry, type ShownKind, shownAs } from './entry-names.ts'

/** The activity: what the user did and received, made of ledger entries and of transactions on the chain. */

export interface ActivityItem {
  readonly id: string
  readonly kind: EntryKind
  readonly time: string
  /** Signed plain decimal text; what left comes first. */
  readonly moved: readonly { readonly asset: string; readonly amount: string }[]
  /** A transaction hash, a swap's id or an order's id. */
  readonly reference: string
  /** The number of the ledger entry. */
  readonly entry?: string
  readonly orderId?: string | null
  readonly explorerUrl?: string | null
  /** Confirmations so far, while it is not final. */
  readonly pending?: { readonly n: number; readonly m: number }
}

/**
 * Groups log entries, newest first, into one item per ledger entry.
 *
 * @param hasMore `true` if the list continues: the last entry may be incomplete and is left out.
 */
export function itemsOfEntries(entries: readonly LogEntry[], { hasMore }: { hasMore: boolean }): ActivityItem[] {
  const groups = [...Map.groupBy(entries, entryNumber).values()]
  const complete = hasMore && groups.length > 1 ? groups.slice(0, -1) : groups
  return complete.flatMap((group) => {
    const [first] = group
    const shown = first && shownAs(first.kind)
    if (!first || !shown) return []
    const { created_at: time, reference } = first
    const entry = entryNumber(first)
    return [{ id: entry, kind: shown.kind, time, moved: movedOf(group, shown), reference, entry }]
  })
}

/** The entry that each kind of transaction leads to. */
const TRANSACTION_KINDS = {
  transfer_in: 'deposit',
  transfer_out: 'withdrawal',
  activation: 'activation',
} as const satisfies Record<ListItem<'transactions'>['kind'], EntryKind>

/** Items of transactions on the chain, newest first, with their confirmations while they are pending. */
export function itemsOfTransactions(transactions: readonly ListItem<'transactions'>[]): ActivityItem[] {
  return transactions.map((each, index) => ({
    // One transaction can move several amounts, so the id has the index from the end.
    id: `${each.tx_hash}-${transactions.length - index}`,
    kind: TRANSACTION_KINDS[each.kind],
    time: each.created_at,
    moved: [{ asset: each.asset, amount: each.kind === 'transfer_in' ? each.amount : minus(each.amount) }],
    reference: each.tx_hash,
    orderId: each.order_id,
    explorerUrl: each.explorer_url,
    ...(each.status === 'pending' ? { pending: { n: each.confirmations, m: each.required } } : {}),
  }))
}

/** The number of an entry. The rest of a log entry's id names one of its postings. */
function entryNumber({ id }: LogEntry): string {
  return id.split('-', 1)[0] ?? id
}

function movedOf(group: readonly LogEntry[], { kind, isBetweenAccounts }: ShownKind): ActivityItem['moved'] {
  // The collateral of a loan stays the user's: the loan is shown as the amount borrowed.
  const own = kind === 'loan' ? group.filter(({ place }) => place === 'collateral').map(({ asset }) => asset) : []
  const borrowed = group.filter(({ asset }) => !own.includes(asset))
  // In the activity of the collateral alone, the loan is the amount that it took.
  const parts = borrowed.length > 0 ? borrowed : group.filter(({ place }) => place !== 'collateral')
  const shown = isBetweenAccounts ? availableSide(parts) : parts
  const moved = shown.map(({ asset, amount }) => ({ asset, amount }))
  return moved.toSorted((a, b) => Number(b.amount.startsWith('-')) - Number(a.amount.startsWith('-')))
}

/**
 * The side of a move that the available balance sees, as for a pledge: a deposit takes from it, a return adds to it. Where the
 * user's available balance takes no part, the account that receives.
 */
function availableSide(parts: readonly LogEntry[]): readonly LogEntry[] {
  const available = parts.filter(({ place }) => place === 'available')
  return available.length > 0 ? available : parts.filter(({ amount }) => !amount.startsWith('-'))
}

function minus(amount: string): string {
  return amount.startsWith('-') ? amount : `-${amount}`
}
