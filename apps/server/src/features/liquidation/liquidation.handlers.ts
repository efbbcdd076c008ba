import type { liquidationRoutes } from '@clearwell/api/liquidation.routes'
import type { Payload } from '@clearwell/api/routes'
import type { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { newPool } from '@clearwell/rules/loan-pool'
import type { LoanRow } from '../../domain/lending/lending.tables.ts'
import type { LendingParameters } from '../../domain/lending/lending-parameters.ts'
import { usableAt } from '../../domain/lending/loan-prices.ts'
import { createPairPrices } from '../../domain/lending/pair-prices.ts'
import { partRulesOf } from '../../domain/lending/part-rules.ts'
import { DEFAULT_PAGE, decodeCursor, decodeNumber, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import { readAmount, readAmountOrZero } from '../../platform/http/read-amount.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import { dueAt } from '../../platform/ledger/repayment-stop.ts'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
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
  readonly moneyPrices: MoneyPrices
  readonly parameters: Pick<LendingParameters, 'rules' | 'terms'>
}

export function liquidationHandlers(deps: LiquidationDependencies): HandlersOf<typeof liquidationRoutes> {
  const { store, writer, clock, parameters } = deps
  const rankings = cached({
    async read(by: 'profit' | 'debt') {
      const rules = await parameters.rules()
      const pairs = await createPairPrices({ ...deps, rules }).all()
      const now = clock.now()
      const pools = await store.pools(
        rules.pools.map(({ asset }) => asset),
        now,
      )
      return store.ranking({ by, pairs, pools, rules, now })
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
    async liquidate(payload, { user, idempotencyKey: key }) {
      const orderId = payload.order_id
      const order = await store.order(orderId)
      if (!order) throw refusal('not_found')
      const rules = await parameters.rules()
      const assets = assetsOf(order)
      const wish = {
        amount: readUnits(payload, 'amount', assets.borrowed) ?? ('most' as const),
        maxDebt: readUnits(payload, 'max_debt', assets.borrowed),
        minReceived: readUnits(payload, 'min_received', assets.collateral),
      }
      const prices = await createPairPrices({ ...deps, rules }).of(assets)
      const input = { userId: user.id, orderId, assets, borrowerId: order.user_id, ...wish, prices, key }
      return writer.execute(liquidateLoan(rules, input))
    },
    async liquidationReceipt(payload, { user }) {
      const { order_id: orderId, liquidation_id: liquidationId, cursor, limit = DEFAULT_PAGE } = payload
      const after = decodeCursor(cursor)
      const rows = await store.receipts(user.id, { orderId, liquidationId, after, limit: limit + 1 })
      if (rows.length === 0 && !after) throw refusal('not_found')
      return pageOf(
        rows,
        limit,
        (row) => receiptItem(row, user.id),
        (row) => encodeCursor({ at: row.created_at, id: row.id }),
      )
    },
  }
}

async function pageOfOrders(
  deps: LiquidationDependencies,
  stored: readonly LoanRow[],
  limit: number,
  toCursor: (row: LoanRow) => string,
) {
  const rules = await deps.parameters.rules()
  const pairs = createPairPrices({ ...deps, rules })
  const now = deps.clock.now()
  const assets = rules.pools.map(({ asset }) => asset)
  const [terms, pools, stop] = await Promise.all([
    deps.parameters.terms(),
    deps.store.pools(assets, now),
    deps.store.stop(),
  ])
  const rows = stored.map((row) => ({ ...row, repayment_time: dueAt(row.repayment_time, stop, now) }))
  const moments = new Map<LoanRow, MarketMoment>()
  for (const row of rows) {
    const { borrowed } = assetsOf(row)
    const prices = usableAt(await pairs.of(assetsOf(row)), now)
    const pool = pools.get(borrowed) ?? newPool(0n)
    moments.set(row, { rules: partRulesOf(terms(row.terms_version), borrowed), pool, prices, now })
  }
  const momentOf = (row: LoanRow) => moments.get(row) as MarketMoment
  const { items, next_cursor } = pageOf(rows, limit, (row) => row, toCursor)
  // An order that no user may liquidate at these prices is not offered.
  const offered = items.filter((row) => !hasRecovered(row, momentOf(row)))
  return { items: offered.map((row) => marketItem(row, momentOf(row))), next_cursor }
}

function assetsOf({ collateral_asset: collateral, borrow_asset: borrowed }: LoanRow) {
  return { collateral, borrowed }
}

/** @throws Refusal `invalid_input` for zero or too many decimals. @returns `undefined` for an absent field. */
function readUnits(
  payload: Payload<'liquidate'>,
  field: 'amount' | 'max_debt' | 'min_received',
  asset: AssetId,
): bigint | undefined {
  const text = payload[field]
  if (text === undefined) return undefined
  return (field === 'amount' ? readAmount : readAmountOrZero)(field, text, asset).units
}
