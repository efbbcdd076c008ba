import type { Context, StateKey } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { type ChainExit, movementId } from '../chain/chain.ts'
import { VAULT } from '../ledger/accounts.ts'
import { defineListPort } from '../port.ts'
import { recordUnknown, type UnknownWithdrawal, unknownWithdrawals } from './unknown-payouts.ts'
import { type Counted, countEvent, listCounterKeys } from './vault-counters.ts'

/** Books what the vault has paid to accounts that left. Pure, as every decision. */
export interface ExitRules {
  /** Keys that `book` reads: a hint. */
  preload(exit: ChainExit): readonly StateKey[]
  /** Posts the payment once. @returns `known` if it was posted before. */
  book(draft: Draft, context: Context, exit: ChainExit): 'booked' | 'known'
}

/** At most one feature books exits. Without it, an exit is a payment that the operator settles. */
export const exitBookings = defineListPort<ExitRules>('exit bookings', () => 'exits')

export interface ExitSite {
  readonly chainId: number
  /** The vault whose counters get the exit, in lower case. */
  readonly vault?: string
  readonly exits?: readonly ExitRules[]
}

/** Lists the state that {@link bookExit} reads. */
export function listExitKeys(site: ExitSite, exit: ChainExit): StateKey[] {
  const counted = countedExit(site, exit)
  return [
    { table: unknownWithdrawals, id: movementId(site.chainId, exit) },
    { account: VAULT, asset: exit.asset },
    ...(site.exits ?? []).flatMap((rules) => rules.preload(exit)),
    ...(counted ? listCounterKeys(counted) : []),
  ]
}

/**
 * Books an exit and counts it, once. Where no feature books exits, it is recorded as a payment without an order.
 *
 * @returns what was recorded for the operator.
 */
export function bookExit(site: ExitSite, draft: Draft, context: Context, exit: ChainExit): UnknownWithdrawal[] {
  const [rules] = site.exits ?? []
  const recorded = rules ? [] : recordExit(site.chainId, draft, context, exit)
  if (rules ? rules.book(draft, context, exit) === 'known' : recorded.length === 0) return []
  const counted = countedExit(site, exit)
  if (counted) countEvent(draft, counted, 'exited', exit.units)
  return recorded
}

function recordExit(chainId: number, draft: Draft, context: Context, exit: ChainExit): UnknownWithdrawal[] {
  const withdrawal = { ...exit, nonce: 0n }
  return recordUnknown(chainId, draft, context, { withdrawal, reason: 'the account has left', lostSigner: null })
}

function countedExit({ vault }: ExitSite, { account, asset, replacedVault }: ChainExit): Counted | undefined {
  return vault === undefined || replacedVault !== undefined ? undefined : { vault, account, asset }
}
