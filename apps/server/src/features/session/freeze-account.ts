import { type Context, write } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import * as z from 'zod/mini'
import type { PlannedSwaps } from '../../domain/pools/planned-swaps.ts'
import { type FrozenRow, frozenAccounts, frozenKey, isFrozen } from '../../platform/ledger/frozen-accounts.ts'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import { decideNotices } from '../../platform/notices/unsent-notices.ts'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'

const DAY_MS = 86_400_000
/** A freeze ends after this time, unless it is renewed. */
const FREEZE_MS = 14 * DAY_MS
/** The plans of an account that was frozen earlier have ended: at their time, if no leader ended them before. */
const ENDED_WITHIN_MS = DAY_MS

/** Freezing an account again this soon takes two persons: one could renew a freeze without end. */
const AGAIN_WITHIN_MS = 30 * DAY_MS

const address = z.string().check(z.regex(/^0x[0-9a-f]{40}$/))
/** `again`: two persons sign. */
const freezePayload = z.strictObject({ address, again: z.optional(z.literal(true)) })

/**
 * Freezes an account, or renews its freeze. It stops money, so one person is enough, but for a freeze that is renewed or follows another
 * within 30 days.
 */
export const freezeAccount = defineOperatorAction({
  kind: 'freeze_account',
  role: 'support',
  persons: ({ again }) => (again ? 2 : 1),
  payload: freezePayload,
  preload: ({ address }) => [frozenKey(address)],
  decide(draft, context, { address, again }) {
    const { now, reason = '' } = context
    const before = draft.row(frozenAccounts, address)
    if (!again && isFrozenAgain(before, now))
      return { isDone: false, text: `${address} was frozen within 30 days: freezing it again takes two persons.` }
    const isRenewal = before !== undefined && before.ends_at > now
    const row = {
      id: address,
      frozen_at: isRenewal ? before.frozen_at : now,
      ends_at: new Date(now.getTime() + FREEZE_MS),
      reason,
    }
    const until = row.ends_at.toISOString()
    const notice = noticeOf(context, { userId: address, kind: 'account_frozen', params: { reason, until } })
    draft.add({ rows: [write(frozenAccounts, row), ...notice] })
    return {
      isDone: true,
      account: address,
      text: `${address} is frozen until ${until}. It can still repay, add collateral, transfer in and cancel plans.`,
      change: {
        before: isRenewal ? `frozen until ${before.ends_at.toISOString()}` : 'free',
        after: `frozen until ${until}`,
      },
    }
  },
})

/** Ends a freeze before its time. It lets money move again, so it takes two persons. */
export const unfreezeAccount = defineOperatorAction({
  kind: 'unfreeze_account',
  role: 'risk',
  persons: 2,
  payload: z.strictObject({ address }),
  preload: ({ address }) => [frozenKey(address)],
  decide(draft, context, { address }) {
    const { now, reason = '' } = context
    const row = draft.row(frozenAccounts, address)
    if (!row || !isFrozen(draft, address, now)) return { isDone: false, text: `${address} is not frozen.` }
    const notice = noticeOf(context, { userId: address, kind: 'account_unfrozen', params: { reason } })
    draft.add({ rows: [write(frozenAccounts, { ...row, ends_at: now }), ...notice] })
    const change = { before: `frozen until ${row.ends_at.toISOString()}`, after: 'free' }
    return { isDone: true, account: address, text: `${address} is free again.`, change }
  },
})

/** Returns whether a freeze now would renew another, or follow one that ended within 30 days. */
function isFrozenAgain(before: FrozenRow | undefined, now: Date): boolean {
  return before !== undefined && now.getTime() < before.ends_at.getTime() + AGAIN_WITHIN_MS
}

/** The input of a freeze now: whether it needs a second person is a part of what the persons sign. */
export async function freezeInput(db: Database, address: string, now: Date): Promise<z.output<typeof freezePayload>> {
  const [before] = await frozenAccounts.load(db, [address])
  return isFrozenAgain(before, now) ? { address, again: true } : { address }
}

function noticeOf(context: Context, notice: Omit<NoticeDraft, 'key' | 'link'>) {
  return decideNotices([{ ...notice, key: context.now.toISOString(), link: null } as NoticeDraft], context)
}

/**
 * Ends the planned swaps of accounts that were frozen. It may run again: a leader that dies after the action leaves it to the next
 * one. A plan that comes due meanwhile ends at its run.
 */
export async function endFrozenPlans(db: Database, now: Date, endAll: PlannedSwaps['endAll']): Promise<void> {
  const rows = await db.query<{ id: string }>('select id from frozen_accounts where frozen_at > $1 and ends_at > $2', [
    new Date(now.getTime() - ENDED_WITHIN_MS),
    now,
  ])
  for (const { id } of rows) await endAll(id, 'freeze')
}
