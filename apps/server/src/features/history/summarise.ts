import type { ResponseOf } from '@clearwell/api/routes'
import type { BalanceRow } from '@clearwell/ledger/read-balances'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import type { LendingRules } from '../../platform/lending/lending-parameters.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { HistoryStore } from './history.store.ts'
import { FLOW_KINDS, performanceOf, valueFlows } from './performance.ts'
import { type Period, pointsOf, summaryOf, usdtOwed, usdtValueOf, valueText } from './value.ts'

export interface SummaryDependencies {
  readonly store: HistoryStore
  readonly clock: Clock
  readonly lendingRules: () => Promise<LendingRules>
  /** The price of one unit of an asset in USDT, 18-decimal fixed point; `undefined` while it is unknown. */
  readonly priceUsdtE18: (asset: AssetId) => Promise<bigint | undefined>
  /** The prices at past times. */
  readonly pricesAt: (asset: AssetId, times: readonly Date[]) => Promise<readonly (bigint | undefined)[]>
}

/** Values a user's holdings now and over a period. Past amounts use past prices. */
export async function summarise(
  deps: SummaryDependencies,
  userId: string,
  period: Period,
): Promise<ResponseOf<'summary'>> {
  const { store, clock } = deps
  const now = clock.now()
  const past = await pastValues(deps, userId, pointsOf(period, now))
  const start = past.find((point) => point.value !== undefined)
  const query = { kinds: FLOW_KINDS, after: start?.time ?? now }
  const { held, flows, owed } = await store.heldAndFlows(userId, query, { rules: await deps.lendingRules(), now })
  const prices = await pricesNow(deps, [...held, ...owed])
  const present = summaryOf(held, prices)
  const valued = flows && (await valueFlows(deps.pricesAt, flows))
  const end = usdtValueOf(held, prices)
  const history = past.map(({ time, value }) => ({ time: time.toISOString(), value_usdt: valueText(value) }))
  return {
    ...present,
    owed_usdt: valueText(usdtOwed(owed, prices)),
    history: [...history, { time: now.toISOString(), value_usdt: present.total_usdt }],
    performance:
      start?.value === undefined || end === undefined || valued === undefined
        ? null
        : performanceOf({ since: start.time, start: start.value, end, flows: valued }),
  }
}

async function pastValues({ store, pricesAt }: SummaryDependencies, userId: string, times: Date[]) {
  const heldAt = await store.heldAt(userId, times)
  const byPoint = Map.groupBy(heldAt, (row) => row.index)
  const assets = ASSET_IDS.filter((asset) => heldAt.some((row) => row.asset === asset))
  const pricesOf = new Map(
    await Promise.all(assets.map(async (asset) => [asset, await pricesAt(asset, times)] as const)),
  )
  return times.map((time, index) => {
    const prices = new Map<AssetId, bigint>()
    for (const [asset, all] of pricesOf) {
      const price = all[index]
      if (price !== undefined) prices.set(asset, price)
    }
    return { time, value: usdtValueOf(byPoint.get(index) ?? [], prices) }
  })
}

async function pricesNow({ priceUsdtE18 }: SummaryDependencies, held: readonly Pick<BalanceRow, 'asset'>[]) {
  const prices = new Map<AssetId, bigint>()
  for (const asset of new Set(held.map((row) => row.asset))) {
    const price = await priceUsdtE18(asset)
    if (price !== undefined) prices.set(asset, price)
  }
  return prices
}
