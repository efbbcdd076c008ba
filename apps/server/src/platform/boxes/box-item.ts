import type { ResponseOf } from '@clearwell/api/routes'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { levelTenths, type MembershipLevel, powerThousandths, streakHundredths } from '@clearwell/rules/box-power'
import { CLAIMABLE_MS } from '@clearwell/rules/box-status'
import type { BoxRow } from './box.store.ts'

export type BoxItem = ResponseOf<'boxes'>['items'][number]

/** Formats a box for its owner. */
export function boxItem(row: BoxRow): BoxItem {
  const { id, day, status, level, streak, draw, power, divided_at } = row
  const reward = row.assets.map((asset, index) => ({ asset, units: row.units[index] ?? 0n }))
  const isAssigned = reward.length > 0 && divided_at !== null
  return {
    box_id: id,
    day,
    status,
    reason: status !== -1 ? null : isAssigned ? 'expired' : 'nothing_to_divide',
    level,
    streak,
    ...factorTexts({ level, streak }),
    ticket: row.ticket,
    draw,
    power: formatUnits(power ?? powerThousandths({ level, streak, draw: 1 }), 3),
    share: power === null || row.total_power === null ? null : fraction(power, row.total_power),
    reward: isAssigned ? amountTexts(reward) : [],
    created_at: row.created_at.toISOString(),
    divided_at: divided_at?.toISOString() ?? null,
    claimed_at: row.outcome === 'claimed' ? (row.settled_at?.toISOString() ?? null) : null,
    expires_at: isAssigned ? new Date(divided_at.getTime() + CLAIMABLE_MS).toISOString() : null,
  }
}

/** The facts of a box that is just made. */
export function sealedItem(box: {
  readonly box_id: string
  readonly day: BoxRow['day']
  readonly level: MembershipLevel
  readonly streak: number
  readonly created_at: string
}): BoxItem {
  const { box_id: id, created_at } = box
  const nothingYet = { ticket: null, draw: null, power: null, total_power: null, divided_at: null, outcome: null }
  const row = { ...box, ...nothingYet, id, user_id: '', status: 2, settled_at: null, assets: [], units: [] } as const
  return boxItem({ ...row, created_at: new Date(created_at), assets: [], units: [] })
}

export function factorTexts({ level, streak }: { readonly level: MembershipLevel; readonly streak: number }) {
  return {
    level_factor: formatUnits(levelTenths(level), 1),
    streak_factor: formatUnits(streakHundredths(streak), 2),
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
