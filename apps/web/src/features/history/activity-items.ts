import type { EntryKind } from '@clearwell/api/entry-kinds'
import type { ListItem } from '../../api/use-list-call.ts'
import type { ActivityKind, LogEntry } from './entry-names.ts'

/** The activity: what the user did and received, made of ledger entries and of transactions on the chain. */

/** A part of the activity that can be shown alone. */
export type ActivityPart = 'transfers' | 'swaps' | 'rewards'

export interface ActivityItem {
  readonly id: string
  readonly kind: ActivityKind
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

/** Each kind of entry in the activity. The amount of a lock leaves later: its order is shown as pending until then. */
const KINDS: Record<EntryKind, ActivityKind | undefined> = {
  deposit: 'transfer_in',
  operator_deposit: 'transfer_in',
  withdrawal_lock: undefined,
  withdrawal: 'transfer_out',
  withdrawal_release: 'returned',
  swap: 'swap',
  activation: 'activation',
  referral_share: 'reward',
  box_reward: 'box_reward',
  pledge: 'pledge',
  unpledge: 'unpledge',
  loan: 'loan',
  loan_repayment: 'loan_repayment',
  collateral_added: 'collateral_added',
  collateral_returned: 'collateral_returned',
  liquidation: 'liquidation',
  rt_deposit: 'rt_deposit',
  rt_deposit_return: 'rt_deposit_return',
  rt_take_back: 'rt_take_back',
  rt_collection: 'rt_collection',
  deposit_reversal: 'reversal',
  withdrawal_reversal: 'reversal',
}

/** Kinds that move an amount between two of the user's accounts: it is shown once, as what arrived. */
const BETWEEN_ACCOUNTS: ReadonlySet<ActivityKind> = new Set([
  'returned',
  'collateral_added',
  'collateral_returned',
  'rt_deposit',
  'rt_deposit_return',
  'rt_take_back',
])

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
    const kind = first && KINDS[first.kind]
    if (!first || !kind) return []
    const { created_at: time, reference } = first
    const entry = entryNumber(first)
    return [{ id: entry, kind, time, moved: movedOf(group, kind), reference, entry }]
  })
}

/** Items of transactions on the chain, newest first, with their confirmations while they are pending. */
export function itemsOfTransactions(transactions: readonly ListItem<'transactions'>[]): ActivityItem[] {
  return transactions.map((each, index) => ({
    // One transaction can move several amounts, so the id has the index from the end.
    id: `${each.tx_hash}-${transactions.length - index}`,
    kind: each.kind,
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

function movedOf(group: readonly LogEntry[], kind: ActivityKind): ActivityItem['moved'] {
  // The collateral of a loan stays the user's: the loan is shown as the amount borrowed.
  const own = kind === 'loan' ? group.filter(({ place }) => place === 'collateral').map(({ asset }) => asset) : []
  const borrowed = group.filter(({ asset }) => !own.includes(asset))
  // In the activity of the collateral alone, the loan is the amount that it took.
  const parts = borrowed.length > 0 ? borrowed : group.filter(({ place }) => place !== 'collateral')
  const moved = parts.map(({ asset, amount }) => ({ asset, amount }))
  const shown = BETWEEN_ACCOUNTS.has(kind) ? moved.filter(({ amount }) => !amount.startsWith('-')) : moved
  return shown.toSorted((a, b) => Number(b.amount.startsWith('-')) - Number(a.amount.startsWith('-')))
}

function minus(amount: string): string {
  return amount.startsWith('-') ? amount : `-${amount}`
}
