import type { ResponseOf } from '@clearwell/api/routes'
import type { BalanceRow } from '@clearwell/ledger/read-balances'
import { ASSET_DECIMALS, ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import { HOUR_MS } from '@clearwell/rules/spans'

/** Days begin in Asia/Hong_Kong: UTC+8 without daylight saving. */
const HONG_KONG_OFFSET_MS = 8 * HOUR_MS
const PLACES = ['available', 'locked', 'pledged', 'collateral', 'rt_deposit'] as const

export type Period = 'day' | 'week' | 'month' | 'year'

/** The distance between the points of a period, and their number before now. */
const GRID: Readonly<Record<Period, { stepMs: number; points: number }>> = {
  day: { stepMs: HOUR_MS, points: 24 },
  week: { stepMs: 6 * HOUR_MS, points: 28 },
  month: { stepMs: 24 * HOUR_MS, points: 30 },
  year: { stepMs: 7 * 24 * HOUR_MS, points: 52 },
}

/** The price of one unit in USDT, 18-decimal fixed point. Assets without a price are missing. */
export type PricesE18 = ReadonlyMap<AssetId, bigint>

/** The points of a period before now, oldest first, on whole hours and days of Hong Kong. */
export function pointsOf(period: Period, now: Date): Date[] {
  const { stepMs, points } = GRID[period]
  const localMs = now.getTime() + HONG_KONG_OFFSET_MS
  const lastMs = localMs - (localMs % stepMs) - HONG_KONG_OFFSET_MS
  // The caller adds the point of now.
  const latestMs = lastMs === now.getTime() ? lastMs - stepMs : lastMs
  return Array.from({ length: points }, (_, index) => new Date(latestMs - (points - 1 - index) * stepMs))
}

/**
 * The value of holdings in base units of USDT, or `undefined` if one of the assets has no price. Rounded down per
 * asset, so that no value is overstated and the parts add up to the total.
 */
export function usdtValueOf(held: readonly BalanceRow[], prices: PricesE18): bigint | undefined {
  let sum = 0n
  for (const asset of ASSET_IDS) {
    const units = unitsOf(held, asset)
    if (units === 0n) continue
    const price = prices.get(asset)
    if (price === undefined) return undefined
    sum += mulDiv(units, price, E18, 'down')
  }
  return sum
}

/** The value of debts in base units of USDT, or `undefined` if one of the assets has no price. Rounded up: never understated. */
export function usdtOwed(
  owed: readonly { readonly asset: AssetId; readonly units: bigint }[],
  prices: PricesE18,
): bigint | undefined {
  let sum = 0n
  for (const { asset, units } of owed) {
    const price = prices.get(asset)
    if (price === undefined) return undefined
    sum += mulDiv(units, price, E18, 'up')
  }
  return sum
}

/** The current part of the summary: everything except its history. */
export function summaryOf(
  held: readonly BalanceRow[],
  prices: PricesE18,
): Omit<ResponseOf<'summary'>, 'history' | 'performance' | 'owed_usdt' | 'net_usdt'> {
  return {
    total_usdt: valueText(usdtValueOf(held, prices)),
    by_asset: ASSET_IDS.map((asset) => {
      const ofAsset = held.filter((row) => row.asset === asset)
      return {
        asset,
        amount: formatUnits(unitsOf(ofAsset, asset), ASSET_DECIMALS[asset]),
        value_usdt: valueText(usdtValueOf(ofAsset, prices)),
      }
    }),
    by_place: PLACES.map((place) => ({
      place,
      value_usdt: valueText(
        usdtValueOf(
          held.filter((row) => row.account.endsWith(`:${place}`)),
          prices,
        ),
      ),
    })),
  }
}

/** Formats a USDT value as plain decimals, or null if it is unknown. */
export function valueText(units: bigint | undefined): string | null {
  return units === undefined ? null : formatUnits(units, ASSET_DECIMALS.USDT)
}

function unitsOf(held: readonly BalanceRow[], asset: AssetId): bigint {
  return held.reduce((sum, row) => (row.asset === asset ? sum + row.units : sum), 0n)
}
