import { type Context, type StateKey, write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import { type ChainExit, movementId } from '../chain/chain.ts'
import { countEvent, listCounterKeys, uncountEvent } from './vault-counters.ts'

/** The exits that the vault's counters contain. Their money is booked by the feature that follows exits. */
export const countedExits = defineWriterTable('counted_exits', forever('an exit counts once; normally few'), {
  /** See {@link movementId}. */
  id: column.text,
  /** In lower case. */
  vault: column.text,
  /** The account that left, in lower case. */
  account: column.user('apart'),
  asset: column.asset,
  units: column.units,
  counted_at: column.time,
  /** A rewind of the watcher took it out again. */
  taken_back_at: column.optional(column.time),
})

interface ExitSite {
  readonly chainId: number
  /** The vault whose counters get the exit, in lower case. */
  readonly vault?: string
}

/** Lists the state that {@link countExit} reads. */
export function listExitKeys({ chainId, vault }: ExitSite, exit: ChainExit): StateKey[] {
  if (vault === undefined || exit.replacedVault !== undefined) return []
  const { account, asset } = exit
  return [{ table: countedExits, id: movementId(chainId, exit) }, ...listCounterKeys({ vault, account, asset })]
}

/** Counts an exit once, for its account and for all. An exit of a replaced vault is not in the counters of this one. */
export function countExit({ chainId, vault }: ExitSite, draft: Draft, { now }: Context, exit: ChainExit): void {
  if (vault === undefined || exit.replacedVault !== undefined) return
  const id = movementId(chainId, exit)
  const known = draft.row(countedExits, id)
  if (known && !known.taken_back_at) return
  const { account, asset, units } = exit
  const row = { id, vault, account, asset, units, counted_at: now, taken_back_at: null }
  draft.add({ rows: [write(countedExits, row)] })
  countEvent(draft, { vault, account, asset }, 'exited', units)
}

/** Takes an exit out of the counters, because the chain does not have it any more. */
export function uncountExit(draft: Draft, { now }: Pick<Context, 'now'>, id: string): void {
  const row = draft.row(countedExits, id)
  if (!row || row.taken_back_at) return
  draft.add({ rows: [write(countedExits, { ...row, taken_back_at: now })] })
  uncountEvent(draft, row, 'exited', row.units)
}
