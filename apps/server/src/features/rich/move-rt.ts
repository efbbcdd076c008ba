import { type Command, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { transfer } from '@clearwell/ledger/transfer'
import { maxUnits } from '@clearwell/money/min-max'
import { hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { HIGHEST_STAR, requiredDeposit, spareDeposit } from '@clearwell/rules/rich-star'
import { members, requireActivated } from '../../domain/members/members.ts'
import { RT_EARNINGS, userAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { type Overview, overviewItem, readHub, rt } from './hub-items.ts'
import { withdrawRequest } from './request-states.ts'
import type { RichRules } from './rich.config.ts'
import { richAccounts, richCollected, richRequests } from './rich.tables.ts'
import { hubKeys, readAccount, readLinked, readOpenRequest, readProgram, readRiseIndex, settle } from './rich-books.ts'
import { requireNotSteppingDown } from './step-down.ts'

/**
 * Deposits RT: `available` → `rt_deposit`.
 *
 * @throws Refusal `not_activated`, `uid_not_linked`, `conflict` while the user steps down, `rt_balance_not_enough`,
 * `amount_out_of_range` above the deposit of the highest star level.
 */
export function depositRt(
  rules: RichRules,
  input: { readonly userId: string; readonly units: bigint; readonly key: string | undefined },
): Command<Overview> {
  const { userId, units, key } = input
  const [available, deposit] = [userAccount(userId, 'available'), userAccount(userId, 'rt_deposit')]
  return {
    kind: 'deposit_rt',
    owner: userId,
    key,
    payload: { amount: rt(units) },
    preload: [...hubKeys(userId), { table: members, id: userId }],
    decide(state, { now }) {
      requireActivated(state, userId)
      const account = readLinked(state, userId)
      requireNotSteppingDown(account)
      checkDeposit({ units, wallet: state.balance(available, 'RT'), deposit: state.balance(deposit, 'RT') }, rules)
      const draft = new Draft(state)
      const postings = transfer({ from: available, to: deposit, asset: 'RT', units })
      // The row is the same: it is carried, so that a restore knows that the deposit belongs to a linked account.
      draft.add({
        entries: [{ kind: 'rt_deposit', reference: userId, postings }],
        rows: [write(richAccounts, account)],
      })
      return draft.plan(overviewItem(readHub(draft, userId), rules, now))
    },
  }
}

/** @throws Refusal `rt_balance_not_enough`, or `amount_out_of_range` above the deposit of the highest star level. */
export function checkDeposit(
  { units, wallet, deposit }: { readonly units: bigint; readonly wallet: bigint; readonly deposit: bigint },
  { firstDeposit }: RichRules,
): void {
  if (wallet < units) throw refusal('rt_balance_not_enough', { available: rt(wallet) })
  const most = requiredDeposit(HIGHEST_STAR, firstDeposit)
  if (deposit + units > most) throw refusal('amount_out_of_range', { max: rt(maxUnits(0n, most - deposit)) })
}

/**
 * Takes back what the held star does not need: `rt_deposit` → `available`, immediately. An open request is withdrawn, because
 * its deposit leaves. Needs no activation: the deposit is the user's own.
 *
 * @throws Refusal `uid_not_linked`, or `conflict` if the star needs the whole deposit.
 */
export function takeBackRt(
  rules: RichRules,
  input: { readonly userId: string; readonly key: string | undefined },
): Command<Overview> {
  const { userId, key } = input
  const [available, deposit] = [userAccount(userId, 'available'), userAccount(userId, 'rt_deposit')]
  return {
    kind: 'take_back_rt',
    owner: userId,
    key,
    payload: {},
    preload: hubKeys(userId),
    decide(state, { now }) {
      const account = readAccount(state, userId)
      const units = spareDeposit(account.star, state.balance(deposit, 'RT'), rules.firstDeposit)
      if (units === 0n) throw refusal('conflict', { reason: 'nothing_to_return' })
      const open = readOpenRequest(state, account)
      const draft = new Draft(state)
      const postings = transfer({ from: deposit, to: available, asset: 'RT', units })
      draft.add({
        entries: [{ kind: 'rt_take_back', reference: userId, postings }],
        // Without an open request the row is the same: it is carried with the entry, as that of a deposit.
        rows: open
          ? [write(richAccounts, { ...account, request_id: null }), write(richRequests, withdrawRequest(open))]
          : [write(richAccounts, account)],
      })
      return draft.plan(overviewItem(readHub(draft, userId), rules, now))
    },
  }
}

/**
 * Collects all earned RT: `rt_earnings` → `available`. Needs no activation: earned RT is the user's own.
 *
 * @throws Refusal `uid_not_linked`, or `conflict` if nothing was earned since the last time.
 */
export function collectRt(
  rules: RichRules,
  input: { readonly userId: string; readonly key: string | undefined },
): Command<Overview> {
  const { userId, key } = input
  return {
    kind: 'collect_rt',
    owner: userId,
    key,
    payload: {},
    preload: [...hubKeys(userId), { account: RT_EARNINGS, asset: 'RT' }],
    decide(state, { now }) {
      const account = readAccount(state, userId)
      const program = readProgram(state)
      const settled = settle(account, program, readRiseIndex(state, account))
      const units = settled.to_collect
      if (units === 0n) throw refusal('conflict', { reason: 'nothing_to_collect' })
      const day = hongKongDayOf(now)
      const id = `${userId}:${day}`
      const before = state.row(richCollected, id)?.units ?? 0n
      const draft = new Draft(state)
      const postings = transfer({ from: RT_EARNINGS, to: userAccount(userId, 'available'), asset: 'RT', units })
      draft.add({
        entries: [{ kind: 'rt_collection', reference: day, postings }],
        rows: [
          write(richAccounts, { ...settled, to_collect: 0n, collected: account.collected + units }),
          write(richCollected, { id, user_id: userId, day, units: before + units }),
        ],
      })
      return draft.plan(overviewItem(readHub(draft, userId), rules, now))
    },
  }
}
