import type { ResponseOf } from '@clearwell/api/routes'
import type { State } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { boundsOfDay, hongKongDayOf, parseHongKongDay } from '@clearwell/rules/hong-kong-day'
import { planRelease, shareAfterChange, weightBelowSharing } from '@clearwell/rules/rich-release'
import { depositProgress, HIGHEST_STAR, requiredDeposit, spareDeposit, starWeight } from '@clearwell/rules/rich-star'
import { getAddress } from 'viem'
import { RT_PROGRAM, userAccount } from '../../platform/ledger/accounts.ts'
import type { RichRules } from './rich.config.ts'
import {
  type ListedChild,
  type ProgramRow,
  type ReleaseRow,
  type RequestRow,
  type RichAccountRow,
  richAccounts,
  richRequests,
} from './rich.tables.ts'
import { earned, readProgram, readRiseIndex } from './rich-books.ts'

export type Overview = ResponseOf<'richOverview'>
export type RequestItem = ResponseOf<'requestUpgrade'>

/** The state of a user's place in the hub at one moment. */
export interface Hub {
  readonly userId: string
  /** `undefined` until a UID is linked. */
  readonly account: RichAccountRow | undefined
  readonly request: RequestRow | undefined
  readonly program: ProgramRow
  /** The sum of the releases after the day of the last rise; `undefined` without one, or until that day is released. */
  readonly riseIndex: bigint | undefined
  /** Balances in base units of RT. */
  readonly wallet: bigint
  readonly deposit: bigint
  readonly remaining: bigint
}

/** Reads the hub within a decision; `state` may be a draft with the command's own changes. */
export function readHub(state: State, userId: string): Hub {
  const account = state.row(richAccounts, userId)
  return {
    userId,
    account,
    request: account?.request_id ? state.row(richRequests, account.request_id) : undefined,
    program: readProgram(state),
    riseIndex: account && readRiseIndex(state, account),
    wallet: state.balance(userAccount(userId, 'available'), 'RT'),
    deposit: state.balance(userAccount(userId, 'rt_deposit'), 'RT'),
    remaining: state.balance(RT_PROGRAM, 'RT'),
  }
}

export function overviewItem(hub: Hub, rules: RichRules, now: Date): Overview {
  const { account, request, program, riseIndex, wallet, deposit, remaining } = hub
  const star = account?.star ?? 0
  const towards = depositProgress(star, deposit, rules.firstDeposit)
  const { perWeight } = planRelease({ ...rules, remaining, weight: program.weight })
  // The day of the rise is over once it is released.
  const risen = riseIndex === undefined && account?.raised_on ? parseHongKongDay(account.raised_on) : undefined
  const weight = riseIndex === undefined ? (account?.weight ?? 0n) : starWeight(star)
  return {
    uid: account?.uid ?? null,
    name: account?.name ?? null,
    star,
    next: towards.next ?? null,
    deposit: rt(deposit),
    required: towards.required === undefined ? null : rt(towards.required),
    missing: rt(towards.missing),
    progress: formatUnits(towards.progressE18, 18),
    wallet_balance: rt(wallet),
    spare: rt(spareDeposit(star, deposit, rules.firstDeposit)),
    to_be_earned: rt(perWeight * weight),
    to_be_collected: rt(account ? earned(account, program, riseIndex) : 0n),
    collected: rt(account?.collected ?? 0n),
    next_release_at: nextReleaseAt(now).toISOString(),
    counts_from: risen ? boundsOfDay(risen).closesAt.toISOString() : null,
    request: request ? requestItem(request) : null,
    step_down: account?.steps_down_at ? { amount: rt(deposit), returns_at: account.steps_down_at.toISOString() } : null,
  }
}

/** A request as its requester and the parent see it. */
export function requestItem(request: RequestRow): RequestItem {
  return {
    request_id: request.id,
    star: request.star,
    status: request.status,
    created_at: request.created_at.toISOString(),
    passes_at: request.passes_at?.toISOString() ?? null,
    passed_at: request.passed_at?.toISOString() ?? null,
    passed_by: request.passed_by,
  }
}

/** A child as its parent sees it. */
export function childItem({
  id,
  name,
  uid,
  level,
  star,
  request,
}: ListedChild): ResponseOf<'richChildren'>['items'][number] {
  return {
    address: getAddress(id),
    name,
    uid,
    level,
    star,
    request: request && {
      request_id: request.id,
      star: request.star,
      status: request.status,
      created_at: request.created_at.toISOString(),
      passes_at: request.passes_at?.toISOString() ?? null,
    },
  }
}

/** The terms of the programme for everyone. */
export function programItem(
  { program, remaining, atGenesis }: Pick<Hub, 'program' | 'remaining'> & { readonly atGenesis: bigint },
  rules: RichRules,
  now: Date,
): ResponseOf<'richProgram'> {
  const { firstDeposit, releaseBps, maxPerWeight, approvalMs, noticeMs } = rules
  const release = { remaining, releaseBps, maxPerWeight, weight: program.weight }
  const wholeDay = { ...release, weight: program.next_weight }
  const sharedAbove = weightBelowSharing(release) ?? 0n
  const stars = Array.from({ length: HIGHEST_STAR }, (_, index) => {
    const star = index + 1
    return {
      star,
      required: rt(requiredDeposit(star, firstDeposit)),
      weight: Number(starWeight(star)),
      next_share: rt(shareAfterChange(wholeDay, { from: 0, to: star })),
    }
  })
  return {
    stars,
    remaining: rt(remaining),
    release_rate: formatUnits(releaseBps, 4),
    max_per_weight: rt(maxPerWeight),
    shared_above_weight: sharedAbove.toString(),
    shared_above_deposits: rt(sharedAbove * firstDeposit),
    at_genesis: rt(atGenesis),
    next_release: rt(planRelease(release).released),
    next_release_at: nextReleaseAt(now).toISOString(),
    weight: program.weight.toString(),
    next_weight: program.next_weight.toString(),
    accounts: program.accounts,
    approval_hours: approvalMs / 3_600_000,
    notice_days: noticeMs / 86_400_000,
  }
}

export function releaseItem(row: ReleaseRow): ResponseOf<'richReleases'>['items'][number] {
  return {
    day: row.id,
    released_at: row.released_at.toISOString(),
    remaining: rt(row.remaining),
    released: rt(row.released),
    per_weight: row.per_weight.toString(),
    weight: row.weight.toString(),
    accounts: row.accounts,
  }
}

/** An amount of RT as text. */
export function rt(units: bigint): string {
  return formatAmount({ asset: 'RT', units })
}

/** The end of the present day in Hong Kong. */
function nextReleaseAt(now: Date): Date {
  return boundsOfDay(hongKongDayOf(now)).closesAt
}
