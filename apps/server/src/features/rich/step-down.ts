import { type Command, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { transfer } from '@clearwell/ledger/transfer'
import { addDays, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { type Overview, overviewItem, readHub } from './hub-items.ts'
import { releaseThrough } from './release-rt.ts'
import { withdrawRequest } from './request-states.ts'
import type { RichRules } from './rich.config.ts'
import { type RichAccountRow, richAccounts, richProgram, richRequests } from './rich.tables.ts'
import { hubKeys, readAccount, readOpenRequest, takeStar, takeWeight } from './rich-books.ts'

/**
 * Gives notice: when it ends, the deposit returns and the star level becomes 0. The star earns nothing from now on, the
 * present day included. An open request is withdrawn. Needs no activation: the deposit is the user's own.
 *
 * @throws Refusal `uid_not_linked`; `conflict` if notice was given before, or without a star.
 */
export function stepDown(
  rules: RichRules,
  input: { readonly userId: string; readonly key: string | undefined },
): Command<Overview> {
  const { userId, key } = input
  return {
    kind: 'step_down',
    owner: userId,
    worksUnproven: true,
    key,
    payload: {},
    preload: hubKeys(userId),
    decide(state, { now }) {
      const before = readAccount(state, userId)
      requireNotSteppingDown(before)
      if (before.star === 0) throw refusal('conflict', { reason: 'no_star' })
      const open = readOpenRequest(state, before)
      const draft = new Draft(state)
      releaseThrough(draft, rules, { day: addDays(hongKongDayOf(now), -1), now })
      const { account, program } = takeWeight(draft, before)
      const after = {
        ...account,
        request_id: open ? null : account.request_id,
        steps_down_at: new Date(now.getTime() + rules.noticeMs),
      }
      draft.add({
        rows: [
          write(richAccounts, after),
          write(richProgram, program),
          ...(open ? [write(richRequests, withdrawRequest(open))] : []),
        ],
      })
      return draft.plan(overviewItem(readHub(draft, userId), rules, now))
    },
  }
}

/** @throws Refusal `conflict` while the user steps down. */
export function requireNotSteppingDown({ steps_down_at: returnsAt }: RichAccountRow): void {
  if (returnsAt) throw refusal('conflict', { reason: 'stepping_down', returns_at: returnsAt.toISOString() })
}

/**
 * Returns the deposits of users whose notice has ended, and takes their star levels: `rt_deposit` → `available`. Changes
 * nothing for users who do not step down, or not yet.
 */
export function returnDeposits(userIds: readonly string[]): Command<{ returned: number }> {
  return {
    kind: 'return_rt_deposits',
    owner: 'rich',
    payload: {},
    preload: userIds.flatMap((userId) => hubKeys(userId)),
    decide(state, { now }) {
      const draft = new Draft(state)
      let returned = 0
      for (const userId of userIds) {
        const before = draft.row(richAccounts, userId)
        if (!before?.steps_down_at || before.steps_down_at > now) continue
        returned += 1
        const { account, program } = takeStar(draft, before)
        const [deposit, available] = [userAccount(userId, 'rt_deposit'), userAccount(userId, 'available')]
        const units = draft.balance(deposit, 'RT')
        const postings = transfer({ from: deposit, to: available, asset: 'RT', units })
        draft.add({
          // Every star has a deposit. An account without one must not keep those of the others back.
          entries: units === 0n ? [] : [{ kind: 'rt_deposit_return', reference: userId, postings }],
          rows: [write(richAccounts, account), write(richProgram, program)],
        })
      }
      return draft.plan({ returned })
    },
  }
}
