import type { ResponseOf } from '@clearwell/api/routes'
import type { State } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { boundsOfDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { planRelease, shareAfterChange } from '@clearwell/rules/rich-release'
import { depositProgress, HIGHEST_STAR, requiredDeposit, starWeight } from '@clearwell/rules/rich-star'
import { getAddress } from 'viem'
import { RT_PROGRAM, userAccount } from '../../platform/ledger/accounts.ts'
import { shortAddress } from '../../platform/ledger/address.ts'
import type { RichRules } from './rich.config.ts'
import {
  type ProgramRow,
  type ReleaseRow,
  type RequestRow,
  type RichAccountRow,
  richAccounts,
  richRequests,
} from './rich.tables.ts'
import { earned, readProgram } from './rich-books.ts'

export type Overview = ResponseOf<'richOverview'>
export type RequestItem = ResponseOf<'requestUpgrade'>

/** The state of a user's place in the hub at one moment. */
export interface Hub {
  readonly userId: string
  /** `undefined` until a UID is linked. */
  readonly account: RichAccountRow | undefined
  readonly request: RequestRow | undefined
  readonly program: ProgramRow
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
    wallet: state.balance(userAccount(userId, 'available'), 'RT'),
    deposit: state.balance(userAccount(userId, 'rt_deposit'), 'RT'),
    remaining: state.balance(RT_PROGRAM, 'RT'),
  }
}

export function overviewItem(hub: Hub, rules: RichRules, now: Date): Overview {
  const { account, request, program, wallet, deposit, remaining } = hub
  const star = account?.star ?? 0
  const towards = depositProgress(star, deposit, rules.firstDeposit)
  const { perWeight } = planRelease({ remaining, releaseBps: rules.releaseBps, weight: program.weight })
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
    to_be_earned: rt(perWeight * starWeight(star)),
    to_be_collected: rt(account ? earned(account, program) : 0n),
    collected: rt(account?.collected ?? 0n),
    next_release_at: nextReleaseAt(now).toISOString(),
    request: account && request ? requestItem(request, account, account.id) : null,
    step_down: account?.steps_down_at ? { amount: rt(deposit), returns_at: account.steps_down_at.toISOString() } : null,
  }
}

/** A request as the caller sees it. A withdrawn request is in no list. */
export function requestItem(
  request: RequestRow,
  requester: Pick<RichAccountRow, 'id' | 'uid' | 'name' | 'star'>,
  callerId: string,
): RequestItem {
  if (request.status === 'Withdrawn') throw new Error('a withdrawn request is not shown')
  const { status, asked_id: asked } = request
  return {
    request_id: request.id,
    address: getAddress(requester.id),
    name: requester.name,
    uid: requester.uid,
    star: requester.star,
    requested_star: request.star,
    status,
    created_at: request.created_at.toISOString(),
    passes_up_at: request.passes_up_at?.toISOString() ?? null,
    asked: asked === null ? null : shortAddress(asked),
    passed_at: request.passed_at?.toISOString() ?? null,
    can_approve: status === 'Requested' && asked === callerId,
  }
}

/** The terms of the programme for everyone. */
export function programItem(
  { program, remaining }: Pick<Hub, 'program' | 'remaining'>,
  rules: RichRules,
  now: Date,
): ResponseOf<'richProgram'> {
  const { firstDeposit, releaseBps, approvalMs, noticeMs } = rules
  const release = { remaining, releaseBps, weight: program.weight }
  const stars = Array.from({ length: HIGHEST_STAR }, (_, index) => {
    const star = index + 1
    return {
      star,
      required: rt(requiredDeposit(star, firstDeposit)),
      weight: Number(starWeight(star)),
      next_share: rt(shareAfterChange(release, { from: 0, to: star })),
    }
  })
  return {
    stars,
    remaining: rt(remaining),
    release_rate: formatUnits(releaseBps, 4),
    next_release: rt(planRelease(release).released),
    next_release_at: nextReleaseAt(now).toISOString(),
    weight: program.weight.toString(),
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
