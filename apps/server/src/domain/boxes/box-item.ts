import type { ResponseOf } from '@clearwell/api/routes'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import {
  levelFactorBps,
  type MembershipLevel,
  type PowerRules,
  powerOf,
  streakFactorBps,
} from '@clearwell/rules/box-power'
import { type BoxRules, parseBoxRules } from '@clearwell/rules/box-rules'
import type { BoxRow } from './box.store.ts'

export type BoxItem = ResponseOf<'boxes'>['items'][number]

/** Decimals of a power: it is an amount of USDT times factors. */
export const POWER_DECIMALS = 18
/** Factors are shown in hundredths or finer, as the configuration has them. */
const FACTOR_DECIMALS = 4

/**
 * Formats a box for its owner.
 *
 * @param current the numbers of a day that keeps none.
 */
export function boxItem(row: BoxRow, current: BoxRules): BoxItem {
  const { id, day, status, level, streak, fees, draw, power, divided_at } = row
  const rules = row.rules === null ? current : parseBoxRules(row.rules)
  const reward = row.assets.map((asset, index) => ({ asset, units: row.units[index] ?? 0n }))
  const isAssigned = reward.length > 0 && divided_at !== null
  return {
    box_id: id,
    day,
    status,
    reason: status !== -1 ? null : isAssigned ? 'expired' : (row.void_reason ?? 'nothing_to_divide'),
    level,
    streak,
    fees: formatUnits(fees, POWER_DECIMALS),
    ...factorTexts({ level, streak }, rules),
    ticket: row.ticket,
    draw,
    power: formatUnits(power ?? powerOf({ fees, level, streak, draw: 1 }, rules), POWER_DECIMALS),
    share: power === null || row.total_power === null ? null : fraction(power, row.total_power),
    reward: isAssigned ? amountTexts(reward) : [],
    created_at: row.created_at.toISOString(),
    divided_at: divided_at?.toISOString() ?? null,
    claimed_at: row.outcome === 'claimed' ? (row.settled_at?.toISOString() ?? null) : null,
    expires_at: isAssigned ? (row.claim_until?.toISOString() ?? null) : null,
  }
}

/** The facts of a box that is just made. */
export function sealedItem(
  box: {
    readonly box_id: string
    readonly day: BoxRow['day']
    readonly level: MembershipLevel
    readonly streak: number
    readonly fees: string
    readonly created_at: string
  },
  rules: BoxRules,
): BoxItem {
  const { box_id: id, created_at } = box
  const ofDay = { rules: null, void_reason: null, divided_at: null, claim_until: null }
  const nothingYet = { ...ofDay, ticket: null, draw: null, power: null, total_power: null, outcome: null }
  const row = { ...box, ...nothingYet, id, user_id: '', status: 2, settled_at: null, assets: [], units: [] } as const
  return boxItem({ ...row, fees: BigInt(box.fees), created_at: new Date(created_at), assets: [], units: [] }, rules)
}

export function factorTexts(
  { level, streak }: { readonly level: MembershipLevel; readonly streak: number },
  rules: PowerRules,
) {
  return {
    level_factor: formatUnits(levelFactorBps(level, rules), FACTOR_DECIMALS),
    streak_factor: formatUnits(streakFactorBps(streak, rules), FACTOR_DECIMALS),
  }
}

export function amountTexts(amounts: readonly Amount[]) {
  return amounts.map((each) => ({ asset: each.asset, amount: formatAmount(each) }))
}

/** Adds amounts up by asset, in alphabetical order. */
export function sumByAsset(amounts: readonly Amount[]): Amount[] {
  const sums = new Map<Amount['asset'], bigint>()
  for (const { asset, units } of amounts) sums.set(asset, (sums.get(asset) ?? 0n) + units)
  return [...sums].map(([asset, units]) => ({ asset, units })).sort((a, b) => (a.asset < b.asset ? -1 : 1))
}

const SHARE_DECIMALS = 8

/** A part of a whole, rounded down to 8 decimals. */
export function fraction(part: bigint, whole: bigint): string {
  if (whole === 0n) return '0'
  return formatUnits(mulDiv(part, 10n ** BigInt(SHARE_DECIMALS), whole, 'down'), SHARE_DECIMALS)
}
