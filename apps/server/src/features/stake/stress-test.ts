import { setImmediate } from 'node:timers/promises'
import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import { RAY } from '@clearwell/rules/borrow-index'
import { hasReached, type LoanPrices } from '@clearwell/rules/loan'
import { ratioThreshold, totalDebt } from '@clearwell/rules/loan-order'
import { valueIn } from '@clearwell/rules/loan-pool'
import { coverLoss, liquidatePart } from '@clearwell/rules/part-liquidation'
import type { LendingState, LendingStore, PoolSafety } from '../../domain/lending/lending.store.ts'
import type { LoanRow } from '../../domain/lending/lending.tables.ts'
import { debtOf } from '../../domain/lending/lending-books.ts'
import type { LendingParameters, LendingRules, TermsOf } from '../../domain/lending/lending-parameters.ts'
import { partRulesOf } from '../../domain/lending/part-rules.ts'
import type { PoolRules } from '../../domain/lending/stake-config.ts'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import { type Cached, cached } from '../../platform/time/cached.ts'
import type { Clock } from '../../platform/time/clock.ts'

type StressTest = ResponseOf<'stakeStress'>
type Scenario = StressTest['scenarios'][number]

/** The price moves, in per cent. */
const MOVES = [
  { asset: 'BNB', percent: -30n },
  { asset: 'BNB', percent: -50n },
  { asset: 'BNB', percent: 100n },
] as const satisfies readonly { readonly asset: AssetId; readonly percent: bigint }[]

/** How long a result serves every visitor of this server. */
const MAX_AGE_MS = 30_000
/** Loans of one pair that a scenario computes, those most at risk first. */
const MAX_LOANS = 5_000
/** Loans that are computed before other requests get their turn. */
const SLICE = 500

export interface StressDependencies {
  readonly store: LendingStore
  readonly clock: Clock
  readonly moneyPrices: MoneyPrices
  readonly parameters: LendingParameters
}

/**
 * Computes the effect of price moves on all loans, by the rules of a real liquidation.
 *
 * The cost is bounded: a result is kept for 30 seconds, so visitors do not add to it. A scenario reads only loans that its price
 * brings over their next limit, from the index on that price, and at most {@link MAX_LOANS} for each pair.
 */
export function createStressTest(deps: StressDependencies): Cached<undefined, StressTest> {
  return cached({ read: () => computeStressTest(deps), maxAgeMs: MAX_AGE_MS, clock: deps.clock })
}

/** The state of the market that every scenario begins with. */
interface Market {
  readonly now: Date
  readonly rules: LendingRules
  /** The rules of each order's opening. */
  readonly terms: TermsOf
  readonly pricesE18: ReadonlyMap<AssetId, bigint>
  readonly state: LendingState
  readonly safety: ReadonlyMap<AssetId, PoolSafety>
}

async function computeStressTest(deps: StressDependencies): Promise<StressTest> {
  const now = deps.clock.now()
  const rules = await deps.parameters.rules()
  const fresh = await readPrices(deps, rules)
  const computed = { computed_at: now.toISOString() }
  if (!fresh) return { ...computed, price_time: null, scenarios: [] }
  const assets = rules.pools.map(({ asset }) => asset)
  const [state, safety, terms] = await Promise.all([
    deps.store.state(assets, now),
    deps.store.safety(assets),
    deps.parameters.terms(),
  ])
  const market = { now, rules, terms, pricesE18: fresh.pricesE18, state, safety }
  const scenarios: Scenario[] = []
  for (const move of MOVES) scenarios.push(await computeScenario(deps.store, market, move))
  return { ...computed, price_time: fresh.time.toISOString(), scenarios }
}

/** The mean prices of all assets of the market in USDT; `undefined` while money has no price of one. */
async function readPrices({ clock, moneyPrices }: StressDependencies, rules: LendingRules) {
  const assets = new Set([...rules.collateral, ...rules.pools.map(({ asset }) => asset)])
  const pricesE18 = new Map<AssetId, bigint>()
  let time = clock.now()
  for (const asset of assets) {
    const price = await moneyPrices.price(asset)
    if (!('meanE18' in price)) return undefined
    pricesE18.set(asset, price.meanE18)
    time = new Date(Math.min(time.getTime(), price.time.getTime()))
  }
  return { pricesE18, time }
}

async function computeScenario(
  store: LendingStore,
  market: Market,
  { asset, percent }: { readonly asset: AssetId; readonly percent: bigint },
): Promise<Scenario> {
  const price = mulDiv(market.pricesE18.get(asset) ?? 0n, 100n + percent, 100n, 'down')
  const pricesE18 = new Map([...market.pricesE18, [asset, price]])
  const pools: Scenario['pools'] = []
  let isComplete = true
  for (const pool of market.rules.pools) {
    const losses = { loans: 0, debt: 0n, shortfall: 0n }
    for (const collateral of market.rules.collateral) {
      if (collateral === pool.asset) continue
      const prices = { collateral: pricesE18.get(collateral) ?? 0n, borrowed: pricesE18.get(pool.asset) ?? 0n }
      const pair = { collateral, borrowed: pool.asset }
      const indexE27 = market.state.pools.get(pool.asset)?.indexE27 ?? RAY
      const rows = await store.loansAtRisk(pair, ratioThreshold(prices, indexE27), MAX_LOANS + 1)
      isComplete &&= rows.length <= MAX_LOANS
      await addLosses(losses, rows.slice(0, MAX_LOANS), prices, market)
    }
    pools.push(stressedPool(pool, losses, market))
  }
  return {
    asset,
    change: formatUnits(percent, 2),
    price: formatUnits(price, 18),
    loans: pools.reduce((sum, { loans }) => sum + loans, 0),
    is_complete: isComplete,
    pools,
  }
}

interface Losses {
  loans: number
  debt: bigint
  shortfall: bigint
}

/** Liquidates each loan in thought, by the rules of a real liquidation. */
async function addLosses(losses: Losses, rows: readonly LoanRow[], prices: LoanPrices, market: Market): Promise<void> {
  for (const [index, row] of rows.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate()
    const asset = row.borrow_asset as AssetId
    const rules = partRulesOf(market.terms(row.terms_version), asset)
    const debt = totalDebt(debtOf(row), market.state.pools.get(asset)?.indexE27 ?? RAY)
    const isOver = hasReached(rules.liquidationBps, debt, row.collateral, prices)
    if (debt === 0n || (!isOver && market.now < row.repayment_time)) continue
    const { shortfall } = liquidatePart({ debt, collateral: row.collateral }, debt, prices, rules)
    losses.loans += 1
    losses.debt += debt
    losses.shortfall += shortfall
  }
}

function stressedPool(
  { asset, reserveBps }: PoolRules,
  { loans, debt, shortfall }: Losses,
  { state, safety }: Market,
): Scenario['pools'][number] {
  const pool = state.pools.get(asset)
  const fund = safety.get(asset)?.insurance ?? 0n
  const cover = coverLoss(shortfall, fund)
  const pledged = pool ? valueIn(pool, reserveBps) : 0n
  const text = (units: bigint) => formatAmount({ asset, units })
  return {
    asset,
    loans,
    debt: text(debt),
    shortfall: text(shortfall),
    insurance: text(fund),
    paid_by_insurance: text(cover.insurance),
    lost_by_pledgers: text(cover.pledgers),
    pledgers_loss: pledged === 0n ? '0' : formatUnits(mulDiv(cover.pledgers, E18, pledged, 'up'), 18),
  }
}
