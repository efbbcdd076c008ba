import type { ResponseOf } from '@clearwell/api/routes'
import type { BalanceRow } from '@clearwell/ledger/read-balances'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import type { PledgeMoment } from '../../domain/lending/pledge-values.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { HistoryStore } from './history.store.ts'
import { FLOW_KINDS, performanceOf, valueFlows, type Wealth } from './performance.ts'
import { type Period, pointsOf, summaryOf, usdtOwed, usdtValueOf, valueText } from './value.ts'

export interface SummaryDependencies {
  readonly store: HistoryStore
  readonly clock: Clock
  readonly pledgeMoment: () => Promise<PledgeMoment>
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
  const start = past.find(isKnown)
  const query = { kinds: FLOW_KINDS, after: start?.time ?? now }
  const { held, flows, owed } = await store.heldAndFlows(userId, query, await deps.pledgeMoment())
  const prices = await pricesNow(deps, [...held, ...owed])
  const present = summaryOf(held, prices)
  const valued = flows && (await valueFlows(deps.pricesAt, flows))
  const end = { time: now, held: usdtValueOf(held, prices), owed: usdtOwed(owed, prices) }
  return {
    ...present,
    owed_usdt: valueText(end.owed),
    net_usdt: valueText(netOf(end)),
    history: [...past, end].map(historyItem),
    performance:
      start && isKnown(end) && valued ? performanceOf({ since: start.time, start, end, flows: valued }) : null,
  }
}

/** The value of a user's assets and of the debts at a time; `undefined` while a price is missing. */
interface Point {
  readonly time: Date
  readonly held: bigint | undefined
  readonly owed: bigint | undefined
}

function isKnown(point: Point): point is Point & Wealth {
  return point.held !== undefined && point.owed !== undefined
}

function netOf(point: Point): bigint | undefined {
  return isKnown(point) ? point.held - point.owed : undefined
}

function historyItem(point: Point): ResponseOf<'summary'>['history'][number] {
  return { time: point.time.toISOString(), value_usdt: valueText(point.held), net_usdt: valueText(netOf(point)) }
}

async function pastValues({ store, pricesAt }: SummaryDependencies, userId: string, times: Date[]): Promise<Point[]> {
  const { held, owed } = await store.heldAt(userId, times)
  const heldAt = Map.groupBy(held, ({ index }) => index)
  const owedAt = Map.groupBy(owed, ({ index }) => index)
  const assets = ASSET_IDS.filter((asset) => [...held, ...owed].some((row) => row.asset === asset))
  const pricesOf = new Map(
    await Promise.all(assets.map(async (asset) => [asset, await pricesAt(asset, times)] as const)),
  )
  return times.map((time, index) => {
    const prices = new Map<AssetId, bigint>()
    for (const [asset, all] of pricesOf) {
      const price = all[index]
      if (price !== undefined) prices.set(asset, price)
    }
    return {
      time,
      held: usdtValueOf(heldAt.get(index) ?? [], prices),
      owed: usdtOwed(owedAt.get(index) ?? [], prices),
    }
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
