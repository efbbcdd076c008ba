import { type StateKey, write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import type { AssetId } from '@clearwell/money/asset'
import { minUnits } from '@clearwell/money/min-max'

/**
 * Sums of the vault's own events that the ledger has booked, for each account and asset and for all accounts together. At the
 * cursor's block they equal the counters of the vault.
 */
export const vaultCounters = defineWriterTable(
  'vault_counters',
  forever('one row for each account and asset that the vault has received or paid'),
  {
    id: column.text,
    /** In lower case. */
    vault: column.text,
    /** In lower case, or {@link ALL_ACCOUNTS}. */
    account: column.user('apart'),
    asset: column.asset,
    /** Base units of `Deposited` events. A plain transfer of a token has none. */
    deposited: column.units,
    /** Base units of `Withdrawn` events. */
    paid: column.units,
    /** Base units of `Exited` events. The vault has them apart in total, and together with `paid` for each account. */
    exited: column.units,
  },
)

/** Names the row that sums all accounts. */
export const ALL_ACCOUNTS = '*'

export interface Counted {
  /** In lower case. */
  readonly vault: string
  /** In lower case. */
  readonly account: string
  readonly asset: AssetId
}

/** The events of the vault that are counted. */
type CountedEvent = 'deposited' | 'paid' | 'exited'

/** Lists the rows that {@link countEvent} reads. */
export function listCounterKeys(counted: Counted): StateKey[] {
  return idsOf(counted).map(({ id }) => ({ table: vaultCounters, id }))
}

/** Adds an event of the vault to the counters of its account and of all accounts. */
export function countEvent(draft: Draft, counted: Counted, event: CountedEvent, units: bigint): void {
  change(draft, counted, event, units)
}

/** Takes an event out of the counters that a reorganisation has removed. */
export function uncountEvent(draft: Draft, counted: Counted, event: CountedEvent, units: bigint): void {
  // Events of before the first count are not in the counters, so they may have less.
  const has = draft.row(vaultCounters, idsOf(counted)[0].id)?.[event] ?? 0n
  const less = minUnits(has, units)
  if (less > 0n) change(draft, counted, event, -less)
}

function change(draft: Draft, counted: Counted, event: CountedEvent, by: bigint): void {
  const { vault, asset } = counted
  for (const { id, account } of idsOf(counted)) {
    const row = draft.row(vaultCounters, id) ?? { id, vault, account, asset, deposited: 0n, paid: 0n, exited: 0n }
    draft.add({ rows: [write(vaultCounters, { ...row, [event]: row[event] + by })] })
  }
}

function idsOf({ vault, account, asset }: Counted) {
  return [
    { id: `${vault}:${account}:${asset}`, account },
    { id: `${vault}:${ALL_ACCOUNTS}:${asset}`, account: ALL_ACCOUNTS },
  ] as const
}
