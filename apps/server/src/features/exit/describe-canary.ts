import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import { DAY_MS } from '@clearwell/rules/spans'
import type { ExitPaymentRow } from '../../platform/custody/exit-payments.ts'
import { readyAtOf } from './describe-exit.ts'

/** An exit of the canary, by the vault's events. */
export interface CanaryExit {
  readonly requestedAt: Date
  readonly requestTx: string
  /** Of the request. */
  readonly block: bigint
  /** `undefined` while it is open. */
  readonly endedAt: Date | undefined
  readonly payments: readonly ExitPaymentRow[]
}

/** From the time at which the vault pays, the canary has this long to take its money and to reopen its account. */
const TAKING_MS = DAY_MS
/** It has this long to deposit again, to get a path, and to ask for the next exit. */
const ASKING_MS = 2 * DAY_MS

type Item = ResponseOf<'proofCanary'>['items'][number]

export function describeCanaryExit(exit: CanaryExit, now: Date): Item {
  const { requestedAt, requestTx, endedAt, payments } = exit
  return {
    state: stateOf(exit, now),
    requested_at: requestedAt.toISOString(),
    ready_at: readyAtOf(requestedAt).toISOString(),
    request_tx: requestTx,
    ended_at: endedAt?.toISOString() ?? null,
    paid: payments.map(({ asset, units, tx_hash, booked_at }) => ({
      ...{ asset, amount: formatAmount({ asset, units }), tx_hash },
      booked_at: booked_at.toISOString(),
    })),
  }
}

function stateOf({ requestedAt, endedAt, payments }: CanaryExit, now: Date): Item['state'] {
  if (endedAt) return payments.length > 0 ? 'paid' : 'unpaid'
  const lateMs = now.getTime() - readyAtOf(requestedAt).getTime()
  if (lateMs < 0) return 'waiting'
  return lateMs < TAKING_MS ? 'ready' : 'overdue'
}

/**
 * Returns when the canary should have acted: ended its exit, or asked for the next one.
 *
 * @param newest absent: it has never asked.
 * @param since when its exits began to be followed.
 */
export function canaryDueAt(newest: CanaryExit | undefined, since: Date): Date {
  if (!newest) return new Date(since.getTime() + ASKING_MS)
  const { requestedAt, endedAt } = newest
  return endedAt ? new Date(endedAt.getTime() + ASKING_MS) : new Date(readyAtOf(requestedAt).getTime() + TAKING_MS)
}
