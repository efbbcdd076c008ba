import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import { DAY_MS } from '@clearwell/rules/spans'
import type { ExitPaymentRow } from '../../platform/custody/exit-payments.ts'
import { type ExitRow, FIRST_DAYS_MS } from '../../platform/ledger/leaving-accounts.ts'
import type { ExitAdvanceRow } from './exit-advances.ts'

/** `Exits.EXIT_CUT` and `Exits.EXIT_WAIT` of the vault. */
export const CUT_MS = 6 * DAY_MS
const WAIT_MS = 7 * DAY_MS

/** The last root that is posted until then decides an exit. */
export function cutOf(exitAt: Date): Date {
  return new Date(exitAt.getTime() + CUT_MS)
}

/** The vault pays an exit from then on. */
export function readyAtOf(exitAt: Date): Date {
  return new Date(exitAt.getTime() + WAIT_MS)
}

/** Returns the vault of an exit. @param ledgers the ledger's vault, in lower case: rows of an earlier version are of no other. */
export function vaultOf({ vault }: Pick<ExitRow, 'vault'>, ledgers: string): string {
  return vault ?? ledgers
}

type Described = ResponseOf<'proofExit'>

/**
 * Describes the exit of an account to its owner.
 *
 * @param row of its open exit; absent: none is open.
 */
export function describeExit(
  row: Pick<ExitRow, 'state' | 'exit_at' | 'vault'> | undefined,
  {
    payments,
    advances,
    now,
    vault,
  }: {
    readonly payments: readonly ExitPaymentRow[]
    readonly advances: readonly ExitAdvanceRow[]
    readonly now: Date
    /** The ledger's, in lower case. */
    readonly vault: string
  },
): Described {
  const paid = payments.map(({ asset, units, receiver, tx_hash, booked_at }) => ({
    asset,
    amount: formatAmount({ asset, units }),
    ...{ receiver, tx_hash, booked_at: booked_at.toISOString() },
  }))
  const owed = advances.map(({ asset, to_insurance, to_treasury }) => ({
    asset,
    amount: formatAmount({ asset, units: to_insurance + to_treasury }),
  }))
  if (!row || row.state === 'closed')
    return {
      ...{
        state: 'none',
        vault: null,
        requested_at: null,
        base_at: null,
        repay_until: null,
        ready_at: null,
        allowed: [],
        next: null,
      },
      paid,
      owed,
    }
  const after = (ms: number) => new Date(row.exit_at.getTime() + ms)
  const [repayUntil, baseAt, readyAt] = [after(FIRST_DAYS_MS), cutOf(row.exit_at), readyAtOf(row.exit_at)]
  const isReady = row.state === 'open' && now >= readyAt
  return {
    state: isReady ? 'ready' : row.state,
    vault: vaultOf(row, vault),
    requested_at: row.exit_at.toISOString(),
    base_at: baseAt.toISOString(),
    repay_until: repayUntil.toISOString(),
    ready_at: readyAt.toISOString(),
    allowed: [
      ...(now < repayUntil ? (['repay', 'add_collateral'] as const) : []),
      'cancel_transfer_out',
      ...(row.state === 'cancelling' ? [] : (['cancel_exit'] as const)),
      ...(isReady ? (['finish_exit'] as const) : []),
    ],
    next: nextOf(row.state, now, { repayUntil, baseAt, readyAt }),
    paid,
    owed,
  }
}

function nextOf(
  state: Exclude<ExitRow['state'], 'closed'>,
  now: Date,
  { repayUntil, baseAt, readyAt }: Readonly<Record<'repayUntil' | 'baseAt' | 'readyAt', Date>>,
): Described['next'] {
  if (state === 'requested') return { what: 'confirmation', at: null }
  if (state === 'cancelling') return { what: 'reopening', at: null }
  if (now < repayUntil) return { what: 'end_of_repaying', at: repayUntil.toISOString() }
  if (now < baseAt) return { what: 'base', at: baseAt.toISOString() }
  if (now < readyAt) return { what: 'ready', at: readyAt.toISOString() }
  return { what: 'finish_exit', at: null }
}
