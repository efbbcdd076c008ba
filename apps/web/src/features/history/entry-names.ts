import type { EntryKind } from '@clearwell/api/parts'
import type { ResponseOf } from '@clearwell/api/routes'
import type { ListItem } from '../../api/use-list-call.ts'
import { ENTRY_KINDS } from '../../generated/entry-kinds.ts'
import { m } from '../../generated/messages.ts'
import { type ActivityWords, words } from '../../manifest/words.ts'

/** The names of ledger entries, from the features that write them, and of the user's accounts. */

export type LogEntry = ListItem<'logs'>

/** An account of the ledger that holds the user's money; `pledged` is a claim on a lending pool. */
export type Account = ResponseOf<'summary'>['by_place'][number]['place']

const ACCOUNT_NAMES: Record<Account, () => string> = {
  available: m.history_status_available,
  locked: m.history_status_locked,
  pledged: m.history_status_pledged,
  collateral: m.history_status_collateral,
  rt_deposit: m.history_status_rt_deposit,
}

/** The name of a kind. A kind of a newer server, or of an edited address, is shown without a name. */
export function kindName(kind: string): string {
  return isEntryKind(kind) ? words().entries[kind].name() : m.history_kind_other()
}

/** A kind of entry as the activity shows it. */
export interface ShownKind extends ActivityWords {
  /** The kind itself, or the one that it is shown like. */
  readonly kind: EntryKind
}

/** How the activity shows a kind: `undefined` for a kind that it leaves out, and for one of a newer server. */
export function shownAs(kind: string): ShownKind | undefined {
  if (!isEntryKind(kind)) return undefined
  const { activity } = words().entries[kind]
  return typeof activity === 'string' ? shownAs(activity) : activity && { kind, ...activity }
}

/** Describes an entry's change of one balance in words. */
export function describeEntry({ kind, amount, place }: Pick<LogEntry, 'amount' | 'place'> & { kind: string }): string {
  const { sides, collateral } = isEntryKind(kind) ? words().entries[kind] : {}
  const isOut = amount.startsWith('-')
  if (collateral && (isOut || place === 'collateral')) return collateral()
  if (!sides) return kindName(kind)
  return isOut ? sides.sold() : sides.bought()
}

export function isEntryKind(kind: unknown): kind is EntryKind {
  return (ENTRY_KINDS as readonly unknown[]).includes(kind)
}

export function accountName(account: Account): string {
  return ACCOUNT_NAMES[account]()
}
