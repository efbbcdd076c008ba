import { type Command, type State, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { addDays, boundsOfDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { depositProgress } from '@clearwell/rules/rich-star'
import { members, requireActivated } from '../../domain/members/members.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { type RequestItem, requestItem, rt } from './hub-items.ts'
import { releaseThrough } from './release-rt.ts'
import { newRequest, passRequest } from './request-states.ts'
import type { RichRules } from './rich.config.ts'
import { type OpenRequest, type RichAccountRow, richAccounts, richProgram, richRequests } from './rich.tables.ts'
import { hubKeys, PROGRAM, raiseStar, readAccount, readLinked, readOpenRequest } from './rich-books.ts'
import { requireNotSteppingDown } from './step-down.ts'

/**
 * Requests the next star level. The inviter is asked; without one the system passes the request immediately. An account gets at most
 * one star a day, by its inviter or by the system (docs/decisions/0033-one-star-a-day.md).
 *
 * @throws Refusal `not_activated`, `uid_not_linked`, `conflict` while a request is open, while the user steps down or at the
 * highest level, `rt_deposit_missing` if the deposit is too small, `not_open` where a star passed today.
 */
export function requestUpgrade(
  rules: RichRules,
  input: { readonly userId: string; readonly parentId: string | null; readonly key: string | undefined },
): Command<RequestItem> {
  const { userId, parentId, key } = input
  return {
    kind: 'request_upgrade',
    owner: userId,
    worksUnproven: true,
    key,
    payload: {},
    preload: [...hubKeys(userId), { table: members, id: userId }],
    decide(state, context) {
      const { now } = context
      requireActivated(state, userId)
      const account = readLinked(state, userId)
      requireNotSteppingDown(account)
      const open = readOpenRequest(state, account)
      if (open) throw refusal('conflict', { reason: 'request_open', request_id: open.id })
      const star = nextStarOf(state, account, rules)
      requireNoStarToday(account, now)
      const id = context.id('upgrade')
      const passesAt = new Date(now.getTime() + rules.approvalMs)
      const request = newRequest({ id, userId, parentId, star, now, passesAt })
      const draft = new Draft(state)
      const after = { ...account, request_id: id, parent_id: parentId, listed_at: now }
      draft.add({ rows: [write(richRequests, request), write(richAccounts, after)] })
      if (request.status === 'Passed') raise(draft, rules, { userId, star, now })
      return draft.plan(requestItem(request))
    },
  }
}

/** @returns the next star level. @throws Refusal `conflict` at the highest, `rt_deposit_missing` below its deposit. */
function nextStarOf(state: State, { id: userId, star }: RichAccountRow, rules: RichRules): number {
  const deposit = state.balance(userAccount(userId, 'rt_deposit'), 'RT')
  const { next, required = 0n, missing } = depositProgress(star, deposit, rules.firstDeposit)
  if (next === undefined) throw refusal('conflict', { reason: 'highest_star' })
  if (missing > 0n) throw refusal('rt_deposit_missing', { required: rt(required), missing: rt(missing) })
  return next
}

/**
 * An account has one open request, so a star that waits while no star has passed today is the only one that can pass today.
 *
 * @throws Refusal `not_open` until the next day in Hong Kong, where a star passed on this day.
 */
function requireNoStarToday({ raised_on: day }: RichAccountRow, now: Date): void {
  const today = hongKongDayOf(now)
  if (day !== today) return
  throw refusal('not_open', { reason: 'one_star_a_day', opens_at: boundsOfDay(today).closesAt.toISOString() })
}

/**
 * Approves a request of a child.
 *
 * @throws Refusal `not_activated`; `not_found` for a request of another account's child; `conflict` if it has passed or
 * was withdrawn.
 */
export function approveUpgrade(
  rules: RichRules,
  input: { readonly userId: string; readonly requestId: string; readonly key: string | undefined },
): Command<RequestItem> {
  const { userId, requestId, key } = input
  return {
    kind: 'approve_upgrade',
    owner: userId,
    worksUnproven: true,
    key,
    payload: { requestId },
    preload: [
      { table: members, id: userId },
      { table: richRequests, id: requestId },
      { table: richProgram, id: PROGRAM },
    ],
    decide(state, { now }) {
      const request = state.row(richRequests, requestId)
      if (request?.parent_id !== userId) throw refusal('not_found')
      requireActivated(state, userId)
      if (request.status === 'Passed') throw refusal('conflict', { reason: 'already_passed' })
      if (request.status === 'Withdrawn') throw refusal('conflict', { reason: 'withdrawn' })
      const draft = new Draft(state)
      return draft.plan(requestItem(pass(draft, rules, request, { by: 'parent', now })))
    },
  }
}

/** Lets the system pass requests without a response. One that has changed meanwhile, or is not due, stays as it is. */
export function passDueRequests(rules: RichRules, ids: readonly string[]): Command<{ passed: number }> {
  return {
    kind: 'pass_upgrade_requests',
    owner: 'rich',
    payload: {},
    preload: [{ table: richProgram, id: PROGRAM }, ...ids.map((id) => ({ table: richRequests, id }))],
    decide(state, { now }) {
      const draft = new Draft(state)
      let passed = 0
      for (const request of draft.rows(richRequests, ids)) {
        if (request?.status !== 'Requested' || request.passes_at > now) continue
        pass(draft, rules, request, { by: 'system', now })
        passed += 1
      }
      return draft.plan({ passed })
    },
  }
}

/** Passes a request, and gives the requester the star level. */
function pass(
  draft: Draft,
  rules: RichRules,
  request: OpenRequest,
  { by, now }: { readonly by: 'parent' | 'system'; readonly now: Date },
) {
  const passed = passRequest(request, by, now)
  draft.add({ rows: [write(richRequests, passed)] })
  raise(draft, rules, { userId: request.user_id, star: request.star, now })
  return passed
}

function raise(
  draft: Draft,
  rules: RichRules,
  { userId, star, now }: { readonly userId: string; readonly star: number; readonly now: Date },
): void {
  const today = hongKongDayOf(now)
  releaseThrough(draft, rules, { day: addDays(today, -1), now })
  const { account, program } = raiseStar(draft, readAccount(draft, userId), star, today)
  draft.add({ rows: [write(richAccounts, account), write(richProgram, program)] })
}
