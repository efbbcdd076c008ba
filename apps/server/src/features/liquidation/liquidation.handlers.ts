import type { Writer } from '@clearwell/ledger/writer'
import { parseAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import type { SettlementInputs } from '@clearwell/rules/settlement'
import { DEFAULT_PAGE, decodeCursor, decodeNumber, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import type { Handlers } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import type { LoanRow } from '../../platform/lending/lending.tables.ts'
import type { LendingParameters, LendingRules } from '../../platform/lending/lending-parameters.ts'
import { createPairPrices } from '../../platform/lending/pair-prices.ts'
import type { Prices } from '../../platform/prices/prices.ts'
import { cached } from '../../platform/time/cached.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { liquidateLoan } from './liquidate-loan.ts'
import { type LiquidationStore, MOST_RANKED } from './liquidation.store.ts'
import { hasRecovered, type MarketMoment, marketItem, receiptItem } from './liquidation-items.ts'

/** A ranking of all orders to be cleared is read at most this often. */
const RANKING_MS = 1_000

export interface LiquidationDependencies {
  readonly store: LiquidationStore
  readonly writer: Writer
  readonly clock: Clock
  readonly prices: Prices
  readonly parameters: Pick<LendingParameters, 'rules'>
}

export function liquidationHandlers(
  deps: LiquidationDependencies,
): Handlers<'liquidations' | 'liquidate' | 'liquidationReceipt'> {
  const { store, writer, clock, parameters } = deps
  const rankings = cached({
    async read(by: 'profit' | 'debt') {
      const rules = await parameters.rules()
      const pairs = await createPairPrices({ ...deps, rules }).all()
      return store.ranking({ by, pairs, factors: factorsOf(rules), now: clock.now() })
    },
    maxAgeMs: RANKING_MS,
    clock,
  })
  return {
    async liquidations({ sort = 'newest', cursor, limit = DEFAULT_PAGE }) {
      if (sort === 'newest') {
        const rows = await store.orders(decodeCursor(cursor), limit + 1)
        return pageOfOrders(deps, rows, limit, (row) => encodeCursor({ at: row.created_at, id: row.id }))
      }
      const from = Number(decodeNumber(cursor) ?? 0n)
      if (from > MOST_RANKED) throw invalidField('cursor', 'not a cursor of this list')
      const rows = (await rankings.get(sort)).slice(from, from + limit + 1)
      return pageOfOrders(deps, rows, limit, () => String(from + limit))
    },
    async liquidate({ order_id: orderId, max_debt: maxDebt }, { user, idempotencyKey: key }) {
      const order = await store.order(orderId)
      if (!order) throw refusal('not_found')
      const rules = await parameters.rules()
      const assets = assetsOf(order)
      const pool = rules.pools.find(({ asset }) => asset === assets.borrowed)
      const most = parseAmount(maxDebt, assets.borrowed)
      if (!pool || !most) throw invalidField('max_debt', 'too many decimals')
      const prices = await createPairPrices({ ...deps, rules }).of(assets)
      const input = { userId: user.id, orderId, assets, borrowerId: order.user_id, maxDebt: most.units, prices, key }
      return writer.execute(liquidateLoan({ factors: factorsOf(rules), reserveBps: pool.reserveBps }, input))
    },
    async liquidationReceipt({ order_id: orderId }, { user }) {
      const row = await store.receipt(user.id, orderId)
      if (!row) throw refusal('not_found')
      return receiptItem(row, user.id)
    },
  }
}

async function pageOfOrders(
  deps: LiquidationDependencies,
  rows: readonly LoanRow[],
  limit: number,
  toCursor: (row: LoanRow) => string,
) {
  const rules = await deps.parameters.rules()
  const pairs = createPairPrices({ ...deps, rules })
  const [factors, now] = [factorsOf(rules), deps.clock.now()]
  const moments = new Map<LoanRow, MarketMoment>()
  for (const row of rows) moments.set(row, { factors, prices: await pairs.of(assetsOf(row)), now })
  const momentOf = (row: LoanRow) => moments.get(row) as MarketMoment
  const { items, next_cursor } = pageOf(rows, limit, (row) => row, toCursor)
  // An order that no user may liquidate at these prices is not offered.
  const offered = items.filter((row) => !hasRecovered(row, momentOf(row)))
  return { items: offered.map((row) => marketItem(row, momentOf(row))), next_cursor }
}

function assetsOf({ collateral_asset: collateral, borrow_asset: borrowed }: LoanRow) {
  return { collateral: collateral as AssetId, borrowed: borrowed as AssetId }
}

function factorsOf({ limits, liquidation }: LendingRules): SettlementInputs['rules'] {
  return { liquidationBps: limits.liquidationBps, ...liquidation }
}
