import { type Command, type Context, type State, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { depositProgress } from '@clearwell/rules/rich-star'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { members } from '../../platform/ledger/members.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { type Overview, overviewItem, type RequestItem, readHub, requestItem, rt } from './hub-items.ts'
import { refuseStepDown } from './move-rt.ts'
import { askNext, newRequest, passRequest, withdrawRequest } from './request-states.ts'
import type { RichRules } from './rich.config.ts'
import { type OpenRequest, richAccounts, richProgram, richRequests } from './rich.tables.ts'
import { changeStar, hubKeys, PROGRAM, readAccount, readOpenRequest, readProgram } from './rich-books.ts'

/**
 * Requests the next star level. The inviter is asked; without one the system passes the request immediately.
 *
 * @throws Refusal `not_activated`, `uid_not_linked`, `conflict` while a request is open, while the user steps down or at the
 * highest level, `rt_balance_not_enough` if the deposit is too small.
 */
export function requestUpgrade(
  rules: RichRules,
  input: { readonly userId: string; readonly parentId: string | null; readonly key: string | undefined },
): Command<RequestItem> {
  const { userId, parentId, key } = input
  return {
    kind: 'request_upgrade',
    owner: userId,
    key,
    payload: {},
    preload: [...hubKeys(userId), { table: members, id: userId }],
    decide(state, context) {
      if (!state.row(members, userId)?.activated_at) throw refusal('not_activated')
      const account = readAccount(state, userId)
      refuseStepDown(account)
      const open = readOpenRequest(state, account)
      if (open) throw refusal('conflict', { reason: 'request_open', request_id: open.id })
      const star = refuseDepositBelowNext(state, userId, account.star, rules)
      const passesUpAt = new Date(context.now.getTime() + rules.approvalMs)
      const id = context.id('upgrade')
      const request = newRequest({ id, userId, parentId, star, now: context.now, passesUpAt })
      const draft = new Draft(state)
      draft.add({ rows: [write(richRequests, request), write(richAccounts, { ...account, request_id: id })] })
      if (request.status === 'Passed') raise(draft, userId, star)
      return draft.plan(requestItem(request, readAccount(draft, userId), userId))
    },
  }
}

/** @returns the next star level. @throws Refusal `conflict` at the highest, `rt_balance_not_enough` below its deposit. */
function refuseDepositBelowNext(state: State, userId: string, star: number, rules: RichRules): number {
  const deposit = state.balance(userAccount(userId, 'rt_deposit'), 'RT')
  const { next, required = 0n, missing } = depositProgress(star, deposit, rules.firstDeposit)
  if (next === undefined) throw refusal('conflict', { reason: 'highest_star' })
  if (missing > 0n) throw refusal('rt_balance_not_enough', { required: rt(required), missing: rt(missing) })
  return next
}

/**
 * Approves a request, by the account that it waits for.
 *
 * @throws Refusal `not_activated`; `not_found` for a request that the user was never asked for; `conflict` if it has passed,
 * was withdrawn, or has moved to another account.
 */
export function approveUpgrade(input: {
  readonly userId: string
  readonly requestId: string
  readonly key: string | undefined
}): Command<RequestItem> {
  const { userId, requestId, key } = input
  return {
    kind: 'approve_upgrade',
    owner: userId,
    key,
    payload: { requestId },
    preload: [
      { table: members, id: userId },
      { table: richRequests, id: requestId },
      { table: richProgram, id: PROGRAM },
    ],
    decide(state, { now }) {
      const request = state.row(richRequests, requestId)
      const isConcerned = request?.asked_id === userId || request?.parent_id === userId
      if (!request || !isConcerned) throw refusal('not_found')
      if (!state.row(members, userId)?.activated_at) throw refusal('not_activated')
      if (request.status === 'Passed') throw refusal('conflict', { reason: 'already_passed' })
      if (request.status === 'Withdrawn') throw refusal('conflict', { reason: 'withdrawn' })
      if (request.asked_id !== userId) throw refusal('conflict', { reason: 'passed_on' })
      const draft = new Draft(state)
      const passed = pass(draft, request, { by: userId, now })
      return draft.plan(requestItem(passed, readAccount(draft, passed.user_id), userId))
    },
  }
}

/**
 * Gives notice: when it ends, the deposit returns and the star level becomes 0. Until then the level earns. An open request
 * is withdrawn. Needs no activation: the deposit is the user's own.
 *
 * @throws Refusal `uid_not_linked`; `conflict` if notice was given before, or if there is neither a star nor a deposit.
 */
export function stepDown(
  rules: RichRules,
  input: { readonly userId: string; readonly key: string | undefined },
): Command<Overview> {
  const { userId, key } = input
  return {
    kind: 'step_down',
    owner: userId,
    key,
    payload: {},
    preload: hubKeys(userId),
    decide(state, { now }) {
      const account = readAccount(state, userId)
      refuseStepDown(account)
      const open = readOpenRequest(state, account)
      if (account.star === 0 && state.balance(userAccount(userId, 'rt_deposit'), 'RT') === 0n)
        throw refusal('conflict', { reason: 'nothing_to_return' })
      const draft = new Draft(state)
      const after = {
        ...account,
        request_id: open ? null : account.request_id,
        steps_down_at: new Date(now.getTime() + rules.noticeMs),
      }
      draft.add({
        rows: [write(richAccounts, after), ...(open ? [write(richRequests, withdrawRequest(open))] : [])],
      })
      return draft.plan(overviewItem(readHub(draft, userId), rules, now))
    },
  }
}

/** A request whose time is over, and the nearest ancestor of the account that was asked whose star level is higher than the requester's. */
export interface DueRequest {
  readonly id: string
  /** null: there is none, so the system passes the request. */
  readonly ancestorId: string | null
}

/**
 * Moves requests whose time is over to the next ancestor, or lets the system pass them. A request that has changed meanwhile
 * stays as it is, and so does one whose ancestor has lost the higher star level.
 */
export function moveRequests(rules: RichRules, due: readonly DueRequest[]): Command<{ moved: number }> {
  return {
    kind: 'move_upgrade_requests',
    owner: 'rich',
    payload: {},
    preload: [
      { table: richProgram, id: PROGRAM },
      ...due.flatMap(({ id, ancestorId }) => [
        { table: richRequests, id },
        ...(ancestorId === null ? [] : [{ table: richAccounts, id: ancestorId }]),
      ]),
    ],
    decide(state, context) {
      const draft = new Draft(state)
      let moved = 0
      for (const each of due) if (moveOne(draft, each, rules, context)) moved += 1
      return draft.plan({ moved })
    },
  }
}

function moveOne(draft: Draft, { id, ancestorId }: DueRequest, rules: RichRules, { now }: Context): boolean {
  const request = draft.row(richRequests, id)
  if (request?.status !== 'Requested' || request.passes_up_at > now) return false
  if (ancestorId === null) {
    pass(draft, request, { by: null, now })
    return true
  }
  const requester = readAccount(draft, request.user_id)
  if ((draft.row(richAccounts, ancestorId)?.star ?? 0) <= requester.star) return false
  const next = askNext(request, ancestorId, new Date(now.getTime() + rules.approvalMs))
  draft.add({ rows: [write(richRequests, next)] })
  return true
}

/** Passes a request, and gives the requester the star level. @param passed.by null: the system. */
function pass(draft: Draft, request: OpenRequest, { by, now }: { readonly by: string | null; readonly now: Date }) {
  const passed = passRequest(request, by, now)
  draft.add({ rows: [write(richRequests, passed)] })
  raise(draft, request.user_id, request.star)
  return passed
}

function raise(draft: Draft, userId: string, star: number): void {
  const { account, program } = changeStar(readAccount(draft, userId), readProgram(draft), star)
  draft.add({ rows: [write(richAccounts, account), write(richProgram, program)] })
}
