import type { ResponseOf } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { ASSET_IDS } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { powerThousandths, streakOn } from '@clearwell/rules/box-power'
import { poolOfDay } from '@clearwell/rules/box-reward'
import { addDays, boundsOfDay, type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { type OpeningWindow, openingAt } from '@clearwell/rules/opening-hours'
import { levelOf } from '../ledger/memberships.ts'
import { type BoxRow, boxOfDay, claimableOf } from './box.store.ts'
import { amountTexts, boxItem, factorTexts, sumByAsset } from './box-item.ts'
import { readRewardsOf } from './box-sources.store.ts'

/** The facts of today that are the same for everyone. */
export interface BoxToday {
  readonly day: HongKongDay
  /** In thousandths, before the draws. */
  readonly networkPower: bigint
  readonly item: Pick<
    ResponseOf<'boxStatus'>,
    'day' | 'ends_at' | 'network_power' | 'contributors' | 'pool' | 'commitment' | 'committed_at'
  >
}

/** Reads the facts of today: one row for its clicks, and the balance of `rewards`. */
export async function readToday(db: Database, now: Date): Promise<BoxToday> {
  const day = hongKongDayOf(now)
  const [[tally], [row], rewards] = await Promise.all([
    db.query<{ boxes: number; power: bigint }>('select boxes, power from box_tallies where id = $1', [day]),
    db.query<{ commitment: string | null; committed_at: Date | null }>(
      'select commitment, committed_at from box_days where day = $1',
      [day],
    ),
    readRewardsOf(db, day),
  ])
  const networkPower = tally?.power ?? 0n
  return {
    day,
    networkPower,
    item: {
      day,
      ends_at: boundsOfDay(day).closesAt.toISOString(),
      network_power: formatUnits(networkPower, 3),
      contributors: tally?.boxes ?? 0,
      pool: poolItems(rewards),
      commitment: row?.commitment ?? null,
      committed_at: row?.committed_at?.toISOString() ?? null,
    },
  }
}

/** The balances of `rewards` and what a day shares of them: one row for each asset. */
export function poolItems(rewards: readonly Amount[]) {
  const all = ASSET_IDS.toSorted().map((asset) => rewards.find((each) => each.asset === asset) ?? { asset, units: 0n })
  const pools = poolOfDay(all)
  return all.map((each, index) => ({
    asset: each.asset,
    rewards: formatAmount(each),
    pool: formatAmount(pools[index] as Amount),
  }))
}

/** A user's part in the boxes now. */
export interface BoxStanding {
  readonly isActivated: boolean
  /** In thousandths, before the draw; zero without a box of today. */
  readonly myPower: bigint
  readonly item: Pick<
    ResponseOf<'boxStatus'>,
    | 'clicked'
    | 'can_click'
    | 'reason'
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

export async function readStanding(
  db: Database,
  { userId, opening, now }: { userId: string; opening: OpeningWindow; now: Date },
): Promise<BoxStanding> {
  const day = hongKongDayOf(now)
  const [[member], [last], box, claimable, [membership]] = await Promise.all([
    db.query<{ activated_at: Date | null }>('select activated_at from members where id = $1', [userId]),
    db.query<{ day: HongKongDay; streak: number }>('select day, streak from box_streaks where id = $1', [userId]),
    boxOfDay(db, userId, day),
    claimableOf(db, { userId, now }),
    db.query<{ level: number }>('select level from memberships where id = $1', [userId]),
  ])
  const isActivated = member?.activated_at != null
  const click = clickState({ isActivated, box, day, opening, now })
  const factors = box ?? { level: levelOf(membership), streak: last && last.day < day ? streakOn(day, last) : 0 }
  const power = powerThousandths({ ...factors, draw: 1 })
  const myPower = box ? power : 0n
  return {
    isActivated,
    myPower,
    item: {
      clicked: box !== undefined,
      ...click,
      streak: consecutiveDays(day, last),
      level: factors.level,
      ...factorTexts(factors),
      my_power: formatUnits(myPower, 3),
      click_power: formatUnits(power, 3),
      box: box ? boxItem(box) : null,
      claimable: amountTexts(sumByAsset(claimable.flatMap(({ reward }) => reward))),
      claimable_boxes: claimable.length,
      claimable_until: claimable[0]?.expiresAt.toISOString() ?? null,
    },
  }
}

/** Returns when a user who has clicked on a day can click again: when the next day begins, or at its opening. */
export function nextClickAt(day: HongKongDay, opening: OpeningWindow): Date {
  const next = boundsOfDay(addDays(day, 1)).opensAt
  const state = openingAt(next, opening)
  return state.open ? next : state.opensAt
}

function clickState(of: {
  isActivated: boolean
  box: BoxRow | undefined
  day: HongKongDay
  opening: OpeningWindow
  now: Date
}): Pick<BoxStanding['item'], 'can_click' | 'reason' | 'opens_at'> {
  const { isActivated, box, day, opening, now } = of
  const state = openingAt(now, opening)
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
