import type { ResponseOf } from '@clearwell/api/routes'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { feeDaysOf, powerOf, streakOn } from '@clearwell/rules/box-power'
import { type PoolSource, poolOfDay } from '@clearwell/rules/box-reward'
import type { BoxRules } from '@clearwell/rules/box-rules'
import { addDays, boundsOfDay, type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { type OpeningWindow, openingAt } from '@clearwell/rules/opening-hours'
import { levelOf, type MembershipRow } from '../members/memberships.ts'
import { type BoxRow, boxOfDay, claimableOf } from './box.store.ts'
import { amountTexts, boxItem, factorTexts, POWER_DECIMALS, sumByAsset } from './box-item.ts'
import { readRewardsOf } from './box-sources.store.ts'
import { type AssetColumns, amountsOf, feeDayId, NO_UNITS } from './fee-days.ts'

/** The facts of today that are the same for everyone. */
export interface BoxToday {
  readonly day: HongKongDay
  /** In base units of USDT, before the draws. */
  readonly networkPower: bigint
  readonly item: Pick<
    ResponseOf<'boxStatus'>,
    'day' | 'ends_at' | 'network_power' | 'contributors' | 'pool' | 'commitment' | 'committed_at'
  >
}

/** Reads the facts of today: one row for its clicks, and the balance of `rewards`. */
export async function readToday(db: Database, rules: BoxRules, now: Date): Promise<BoxToday> {
  const day = hongKongDayOf(now)
  const [tally, [row], rewards] = await Promise.all([
    readTally(db, day),
    db.query<{ commitment: string | null; committed_at: Date | null }>(
      'select commitment, committed_at from box_days where day = $1',
      [day],
    ),
    readRewardsOf(db, day),
  ])
  const networkPower = tally.power
  return {
    day,
    networkPower,
    item: {
      day,
      ends_at: boundsOfDay(day).closesAt.toISOString(),
      network_power: formatUnits(networkPower, POWER_DECIMALS),
      contributors: tally.boxes,
      pool: poolItems(sourcesOf(rewards, tally), rules),
      commitment: row?.commitment ?? null,
      committed_at: row?.committed_at?.toISOString() ?? null,
    },
  }
}

/** Reads how many boxes a day has, and what the fees of their owners brought into `rewards`. */
export async function readTally(
  on: Queryable,
  day: HongKongDay,
): Promise<AssetColumns & { readonly boxes: number; readonly power: bigint }> {
  const [row] = await on.query<AssetColumns & { boxes: number; power: bigint }>(
    'select boxes, power, bnb, eth, rt, usdt from box_tallies where id = $1',
    [day],
  )
  return row ?? { boxes: 0, power: 0n, ...NO_UNITS }
}

/** The two bounds of a day's pool: one row for each asset, in alphabetical order. */
export function sourcesOf(rewards: readonly Amount[], contributed: AssetColumns): PoolSource[] {
  return amountsOf(contributed).map(({ asset, units }) => ({
    asset,
    rewards: rewards.find((each) => each.asset === asset)?.units ?? 0n,
    contributed: units,
  }))
}

/** The bounds of a day's pool and the pool itself, as texts. */
export function poolItems(sources: readonly PoolSource[], rules: BoxRules) {
  const pools = poolOfDay(sources, rules)
  return sources.map(({ asset, rewards, contributed }, index) => ({
    asset,
    rewards: formatAmount({ asset, units: rewards }),
    contributed: formatAmount({ asset, units: contributed }),
    pool: formatAmount(pools[index] as Amount),
  }))
}

/** A user's part in the boxes now. */
export interface UserBoxStatus {
  readonly isActivated: boolean
  /** In base units of USDT, before the draw; zero if the account has no box today. */
  readonly myPower: bigint
  readonly item: Pick<
    ResponseOf<'boxStatus'>,
    | 'clicked'
    | 'can_click'
    | 'reason'
    | 'fees_30_days'
    | 'opens_at'
    | 'streak'
    | 'level'
    | 'level_factor'
    | 'streak_factor'
    | 'my_power'
    | 'click_power'
    | 'box'
    | 'claimable'
    | 'claimable_boxes'
    | 'claimable_until'
  >
}

export async function readBoxStatus(
  db: Database,
  {
    userId,
    opening,
    rules,
    isOperators,
    now,
  }: { userId: string; opening: OpeningWindow; rules: BoxRules; isOperators: boolean; now: Date },
): Promise<UserBoxStatus> {
  const day = hongKongDayOf(now)
  const [[member], [last], box, claimable, [membership], paid] = await Promise.all([
    db.query<{ activated_at: Date | null }>('select activated_at from members where id = $1', [userId]),
    db.query<{ day: HongKongDay; streak: number }>('select day, streak from box_streaks where id = $1', [userId]),
    boxOfDay(db, userId, day),
    claimableOf(db, { userId, now }),
    db.query<Pick<MembershipRow, 'level'>>('select level from memberships where id = $1', [userId]),
    feesBefore(db, { userId, day, rules }),
  ])
  const isActivated = member?.activated_at != null
  const click = clickState({ isActivated, isOperators, box, day, opening, now })
  const factors = box ?? { level: levelOf(membership), streak: last && last.day < day ? streakOn(day, last) : 0 }
  const fees = box?.fees ?? paid
  const power = powerOf({ ...factors, fees, draw: 1 }, rules)
  const myPower = box ? power : 0n
  return {
    isActivated,
    myPower,
    item: {
      clicked: box !== undefined,
      ...click,
      streak: consecutiveDays(day, last),
      level: factors.level,
      fees_30_days: formatUnits(fees, POWER_DECIMALS),
      ...factorTexts(factors, rules),
      my_power: formatUnits(myPower, POWER_DECIMALS),
      click_power: formatUnits(power, POWER_DECIMALS),
      box: box ? boxItem(box, rules) : null,
      claimable: amountTexts(sumByAsset(claimable.flatMap(({ reward }) => reward))),
      claimable_boxes: claimable.length,
      claimable_until: claimable[0]?.expiresAt.toISOString() ?? null,
    },
  }
}

/** Reads the revenue part of an account's swap fees in the days whose fees count for a day, in base units of USDT. */
async function feesBefore(
  db: Database,
  { userId, day, rules }: { userId: string; day: HongKongDay; rules: BoxRules },
): Promise<bigint> {
  const ids = feeDaysOf(day, rules).map((each) => feeDayId(userId, each))
  const [row] = await db.query<{ revenue: bigint }>(
    'select coalesce(sum(revenue), 0) as revenue from fee_days where id = any($1::text[])',
    [ids],
  )
  return row?.revenue ?? 0n
}

/** Returns when a user who has clicked on a day can click again: when the next day begins, or at its opening. */
export function nextClickAt(day: HongKongDay, opening: OpeningWindow): Date {
  const next = boundsOfDay(addDays(day, 1)).opensAt
  const state = openingAt(next, opening)
  return state.open ? next : state.opensAt
}

function clickState(of: {
  isActivated: boolean
  isOperators: boolean
  box: BoxRow | undefined
  day: HongKongDay
  opening: OpeningWindow
  now: Date
}): Pick<UserBoxStatus['item'], 'can_click' | 'reason' | 'opens_at'> {
  const { isActivated, isOperators, box, day, opening, now } = of
  const state = openingAt(now, opening)
  if (isOperators) return { can_click: false, reason: 'operator_account', opens_at: null }
  if (box) return { can_click: false, reason: 'clicked', opens_at: nextClickAt(day, opening).toISOString() }
  const opensAt = state.open ? null : state.opensAt.toISOString()
  if (!isActivated) return { can_click: false, reason: 'not_activated', opens_at: opensAt }
  return { can_click: state.open, reason: state.open ? null : 'not_open', opens_at: opensAt }
}

/** The consecutive days with a click up to today, or up to yesterday while there is none today. */
function consecutiveDays(
  day: HongKongDay,
  last: { readonly day: string; readonly streak: number } | undefined,
): number {
  return last && last.day >= addDays(day, -1) ? last.streak + 1 : 0
}
