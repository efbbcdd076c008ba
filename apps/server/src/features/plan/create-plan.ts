import type { ResponseOf } from '@clearwell/api/routes'
import { type Command, write } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import { hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { nextScheduledHour, type PlanInterval, worthAtPrice } from '@clearwell/rules/plans'
import type { SwapFees } from '@clearwell/rules/swap'
import { members, requireActivated } from '../../domain/members/members.ts'
import type { SwapPool, Swaps } from '../../domain/pools/swaps.ts'
import { poolAccount } from '../../platform/ledger/accounts.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import type { PlanRules } from './plan.config.ts'
import { type PlanRow, planOwners, plans } from './plan.tables.ts'
import { assetsOf, planItem } from './plan-item.ts'
import { arm, NO_RUN, nextRun, UNARMED } from './plan-state.ts'

/** The owner's choices. */
export type PlanWish =
  | { readonly kind: 'limit'; readonly priceE18: bigint; readonly endsAt: Date }
  | {
      readonly kind: 'schedule'
      readonly every: PlanInterval
      readonly hour: number
      readonly startsAt: Date | undefined
      readonly endsAt: Date | undefined
      readonly slippageBps: number
      /** The spot price now, which values an amount that is not in USDT; `undefined` while it is unknown. */
      readonly referenceE18: bigint | undefined
    }

export interface CreatePlanInput {
  readonly userId: string
  readonly pool: SwapPool
  readonly inverse: boolean
  readonly amount: bigint
  readonly wish: PlanWish
  readonly key: string | undefined
}

/**
 * Plans a swap. Nothing is locked: the balance is looked at when a run is due.
 *
 * @throws Refusal `not_activated`, `not_found` for a pool that is not open, `too_many_open`, `price_out_of_date`, or
 * `amount_out_of_range` below the least worth.
 */
export function createPlan(
  { swaps, rules }: { readonly swaps: Pick<Swaps, 'fees' | 'reserves'>; readonly rules: PlanRules },
  input: CreatePlanInput,
): Command<ResponseOf<'createPlan'>> {
  const { userId, pool, inverse, amount, wish, key } = input
  return {
    kind: 'create_plan',
    owner: userId,
    worksUnproven: true,
    key,
    payload: payloadOf(input),
    preload: [
      { table: members, id: userId },
      { table: planOwners, id: userId },
      { account: poolAccount(pool.id), asset: pool.base },
      { account: poolAccount(pool.id), asset: pool.quote },
    ],
    decide(state, { now, id }) {
      requireActivated(state, userId)
      const open = state.row(planOwners, userId)?.open ?? 0
      if (open >= rules.maxOpen) throw refusal('too_many_open', { max: rules.maxOpen })
      const reserves = swaps.reserves(state, pool)
      if (reserves.base === 0n) throw refusal('not_found')
      refuseSmall(input, rules.leastUsdt)
      const base = { ...EMPTY, id: id('plan'), user_id: userId, pool_id: pool.id, inverse, amount, created_at: now }
      const row: PlanRow =
        wish.kind === 'limit'
          ? armLimit({ ...base, price_e18: wish.priceE18, ends_at: wish.endsAt }, wish, {
              reserves,
              fees: swaps.fees.in(state, now),
              rules,
              now,
            })
          : startSchedule(base, wish, now, id('moment'))
      return {
        rows: [write(plans, row), write(planOwners, { id: userId, open: open + 1 })],
        response: planItem(row, pool),
      }
    },
  }
}

const EMPTY = {
  kind: 'limit',
  price_e18: null,
  ...UNARMED,
  every: null,
  hour: null,
  slippage_bps: null,
  anchor_day: null,
  ...NO_RUN,
  ends_at: null,
  status: 'active',
  reason: null,
  skipped: 0,
  last_run_at: null,
  ended_at: null,
} as const satisfies Partial<PlanRow>

const DAY_MS = 86_400_000

function armLimit(
  row: PlanRow,
  { endsAt }: Extract<PlanWish, { kind: 'limit' }>,
  at: {
    readonly reserves: ReturnType<Swaps['reserves']>
    readonly fees: SwapFees
    readonly rules: PlanRules
    readonly now: Date
  },
): PlanRow {
  const { reserves, fees, rules, now } = at
  if (endsAt <= now) throw invalidField('ends_at', 'must be in the future')
  if (endsAt.getTime() > now.getTime() + rules.limitDays * DAY_MS)
    throw invalidField('ends_at', `at most ${rules.limitDays} days ahead`)
  return { ...row, ...arm(row, reserves, fees) }
}

/** A schedule without a first day begins at its next hour. */
function startSchedule(
  row: PlanRow,
  { every, hour, startsAt, endsAt, slippageBps }: Extract<PlanWish, { kind: 'schedule' }>,
  now: Date,
  draw: string,
): PlanRow {
  const anchor =
    startsAt === undefined
      ? nextScheduledHour({ anchor: hongKongDayOf(now), every: 'day', hour, notBefore: now }).date
      : hongKongDayOf(startsAt)
  const schedule = { anchor_day: anchor, every, hour, ends_at: endsAt ?? null }
  const next = nextRun(schedule, { notBefore: now, draw })
  if (!next.next_run_at) throw invalidField('ends_at', 'comes before the first run')
  return { ...row, ...schedule, ...next, kind: 'schedule', slippage_bps: slippageBps }
}

/**
 * Refuses a run that is worth too little. The USDT side counts: the amount itself when USDT is sold; otherwise the amount at a
 * limit's own price, or at the spot price on the day of planning for a schedule. Later prices do not end a plan.
 */
function refuseSmall({ pool, inverse, amount, wish }: CreatePlanInput, leastUsdt: bigint): void {
  const [sold, bought] = assetsOf(pool, inverse)
  if (sold === 'USDT') {
    if (amount < leastUsdt)
      throw refusal('amount_out_of_range', { min: formatAmount({ asset: sold, units: leastUsdt }) })
    return
  }
  if (bought !== 'USDT') throw invalidField('pool_id', 'has no USDT')
  const priceE18 = wish.kind === 'limit' ? wish.priceE18 : wish.referenceE18
  if (priceE18 === undefined) throw refusal('price_out_of_date', { reason: 'unknown' })
  if (worthAtPrice({ amountIn: amount, priceE18, inverse }) >= leastUsdt) return
  // The least amount that is worth as much, rounded up.
  const units = inverse ? mulDiv(leastUsdt, priceE18, E18, 'up') : mulDiv(leastUsdt, E18, priceE18, 'up')
  throw refusal('amount_out_of_range', { min: formatAmount({ asset: sold, units }) })
}

/** The payload that an idempotency key is bound to. The price of the moment is not part of it. */
function payloadOf({ pool, inverse, amount, wish }: CreatePlanInput): unknown {
  const common = { pool: pool.id, inverse, amount: amount.toString(), kind: wish.kind }
  if (wish.kind === 'limit') return { ...common, price: wish.priceE18.toString(), endsAt: wish.endsAt.toISOString() }
  const { every, hour, slippageBps } = wish
  const times = [wish.startsAt?.toISOString() ?? null, wish.endsAt?.toISOString() ?? null]
  return { ...common, every, hour, slippageBps, times }
}
