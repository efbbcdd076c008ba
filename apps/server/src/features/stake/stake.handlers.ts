import type { Payload } from '@clearwell/api/routes'
import type { stakeRoutes } from '@clearwell/api/stake.routes'
import type { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { RAY } from '@clearwell/rules/borrow-index'
import { newPool } from '@clearwell/rules/loan-pool'
import { DAY_MS } from '@clearwell/rules/spans'
import type { LendingStore } from '../../domain/lending/lending.store.ts'
import type { LoanRow } from '../../domain/lending/lending.tables.ts'
import type { LendingParameters, LendingRules } from '../../domain/lending/lending-parameters.ts'
import { type ItemMoment, loanItem } from '../../domain/lending/loan-item.ts'
import { type KnownPrices, requireFreshPrices, usableAt } from '../../domain/lending/loan-prices.ts'
import { createPairPrices } from '../../domain/lending/pair-prices.ts'
import { createPledgeMoments } from '../../domain/lending/pledge-moment.ts'
import type { PoolRules } from '../../domain/lending/stake-config.ts'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import { readAmount } from '../../platform/http/read-amount.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { addCollateral, removeCollateral } from './change-collateral.ts'
import { pledgeToPool, withdrawFromPool } from './change-pledge.ts'
import { quoteLoan } from './loan-quote.ts'
import { openLoan } from './open-loan.ts'
import { parameterItem } from './parameter-item.ts'
import { marketItem, type PoolMoment, pledgeItem } from './pool-items.ts'
import { repayLoan } from './repay-loan.ts'
import { createStressTest } from './stress-test.ts'

const MONTH_MS = 30 * DAY_MS
/** Hourly readings of 31 days. */
const MOST_RATES = 31 * 24

export interface StakeDependencies {
  readonly store: LendingStore
  readonly writer: Writer
  readonly clock: Clock
  readonly moneyPrices: MoneyPrices
  readonly parameters: LendingParameters
}

type StakeHandlers = HandlersOf<typeof stakeRoutes>

export function stakeHandlers(deps: StakeDependencies): StakeHandlers {
  return { ...pledgeHandlers(deps), ...loanHandlers(deps), ...listHandlers(deps), ...publicHandlers(deps) }
}

function pledgeHandlers(deps: StakeDependencies): Pick<StakeHandlers, 'pledgeInfo' | 'pledge' | 'unpledge'> {
  const { store, writer, parameters } = deps
  return {
    async pledgeInfo(_payload, { user }) {
      const moment = await createPledgeMoments(deps)()
      const { pools, pledges } = await store.pledged(moment, user.id)
      return moment.rules.pools.map((each) => pledgeItem(each, poolMomentOf(pools, each), pledges))
    },
    async pledge({ asset, amount }, { user, idempotencyKey: key }) {
      const rules = await parameters.rules()
      findPool(rules, asset)
      const pairs = await createPairPrices({ ...deps, rules }).ofPool(asset)
      const input = { userId: user.id, amount: readAmount('amount', amount, asset), pairs, key }
      return writer.execute(pledgeToPool(rules, input))
    },
    async unpledge({ asset, amount }, { user, idempotencyKey: key }) {
      const rules = await parameters.rules()
      findPool(rules, asset)
      const units = amount === 'all' ? 'all' : readAmount('amount', amount, asset).units
      const pairs = await createPairPrices({ ...deps, rules }).ofPool(asset)
      return writer.execute(withdrawFromPool(rules, { userId: user.id, asset, amount: units, pairs, key }))
    },
  }
}

function loanHandlers(
  deps: StakeDependencies,
): Pick<StakeHandlers, 'lend' | 'addCollateral' | 'removeCollateral' | 'repay'> {
  const { writer, parameters } = deps
  return {
    async lend(payload, { user, idempotencyKey: key }) {
      const rules = await parameters.rules()
      const { termDays } = readTerms(rules, payload)
      const collateral = readAmount('collateral_amount', payload.collateral_amount, payload.collateral_asset)
      const borrow = readAmount('borrow_amount', payload.borrow_amount, payload.borrow_asset)
      const maxRateE18 = payload.max_rate === undefined ? undefined : parseUnits(payload.max_rate, 18)
      const assets = { collateral: payload.collateral_asset, borrowed: payload.borrow_asset }
      const prices = await createPairPrices({ ...deps, rules }).of(assets)
      const input = { userId: user.id, collateral, borrow, termDays, maxRateE18, prices, key }
      return writer.execute(openLoan(rules, input))
    },
    async addCollateral({ order_id: orderId, amount }, { user, idempotencyKey: key }) {
      const order = await findLoan(deps, user.id, orderId)
      return writer.execute(addCollateral(await collateralInput(deps, order, { amount, key })))
    },
    async removeCollateral({ order_id: orderId, amount }, { user, idempotencyKey: key }) {
      const order = await findLoan(deps, user.id, orderId)
      return writer.execute(removeCollateral(await collateralInput(deps, order, { amount, key })))
    },
    async repay({ order_id: orderId, amount }, { user, idempotencyKey: key }) {
      const order = await findLoan(deps, user.id, orderId)
      const assets = assetsOf(order)
      const rules = await parameters.rules()
      const units = amount === 'all' ? 'all' : readAmount('amount', amount, assets.borrowed).units
      const prices = await knownPricesOf(deps, rules, order)
      const input = { userId: user.id, orderId, amount: units, key, assets, prices } as const
      return writer.execute(repayLoan(rules, input))
    },
  }
}

/** The input of a change of an order's collateral. */
async function collateralInput(
  deps: StakeDependencies,
  order: LoanRow,
  { amount, key }: { readonly amount: string; readonly key: string | undefined },
) {
  const { collateral, borrowed } = assetsOf(order)
  return {
    userId: order.user_id,
    orderId: order.id,
    amount: readAmount('amount', amount, collateral),
    borrowAsset: borrowed,
    prices: await knownPricesOf(deps, await deps.parameters.rules(), order),
    key,
  }
}

function listHandlers(deps: StakeDependencies): Pick<StakeHandlers, 'stakeMarket' | 'loanQuote' | 'stakeOrders'> {
  const { store, clock, moneyPrices, parameters } = deps
  return {
    async stakeMarket() {
      const moment = await createPledgeMoments(deps)()
      const { rules } = moment
      const assets = rules.pools.map(({ asset }) => asset)
      const [{ pools }, safety] = await Promise.all([store.pledged(moment), store.safety(assets)])
      return Promise.all(
        rules.pools.map(async (each) => {
          const price = await moneyPrices.price(each.asset)
          return marketItem(each, poolMomentOf(pools, each), { ...rules, price, safety: safety.get(each.asset) })
        }),
      )
    },
    async loanQuote(payload, { user }) {
      const { collateral_asset: collateral, borrow_asset: borrowed } = payload
      const rules = await parameters.rules()
      const { pool: poolRules, termDays } = readTerms(rules, payload)
      const now = clock.now()
      const fresh = requireFreshPrices(await createPairPrices({ ...deps, rules }).of({ collateral, borrowed }), now)
      const found = await store.borrowing(borrowed, user.id, now)
      const indexThenE27 = (await store.indexSince(borrowed, new Date(now.getTime() - MONTH_MS))) ?? RAY
      const units = (field: 'collateral_amount' | 'borrow_amount', asset: AssetId) =>
        payload[field] === undefined ? undefined : readAmount(field, payload[field], asset)
      const amounts = { collateral: units('collateral_amount', collateral), borrow: units('borrow_amount', borrowed) }
      const quoted = { poolRules, rules, ...found, indexThenE27, now }
      return quoteLoan(quoted, { ...payload, ...amounts, termDays, prices: fresh })
    },
    async stakeOrders({ status, cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await store.loans(user.id, status as LoanRow['status'] | undefined, decodeCursor(cursor), limit + 1)
      const now = clock.now()
      const rules = await parameters.rules()
      const [terms, stop, { pools }] = await Promise.all([
        parameters.terms(),
        store.stop(),
        store.state(
          rules.pools.map(({ asset }) => asset),
          now,
        ),
      ])
      const moments = new Map<LoanRow, ItemMoment>()
      for (const row of rows) {
        const pool = pools.get(row.borrow_asset) ?? newPool(0n)
        const prices = usableAt(await knownPricesOf(deps, rules, row), now)
        moments.set(row, { terms: terms(row.terms_version), pool, prices, now, stop })
      }
      return pageOf(
        rows,
        limit,
        (row) => loanItem(row, moments.get(row) as ItemMoment),
        (row) => encodeCursor({ at: row.created_at, id: row.id }),
      )
    },
  }
}

function publicHandlers(
  deps: StakeDependencies,
): Pick<StakeHandlers, 'stakeRates' | 'stakeStress' | 'stakeParameters'> {
  const { store, clock, parameters } = deps
  const stress = createStressTest(deps)
  return {
    async stakeRates({ asset, from }) {
      findPool(await parameters.rules(), asset)
      const first = new Date(clock.now().getTime() - MONTH_MS - DAY_MS)
      const rows = await store.rates(asset, from && from > first ? from : first, MOST_RATES)
      return rows.map((row) => ({
        time: row.at.toISOString(),
        loan_rate: formatUnits(row.loan_rate_e18, 18),
        pledge_rate: formatUnits(row.pledge_rate_e18, 18),
        utilisation: formatUnits(row.utilisation_e18, 18),
      }))
    },
    stakeStress: () => stress.get(undefined),
    async stakeParameters() {
      const { now, announced } = await parameters.sets()
      return { now: parameterItem(now), announced: announced.map(parameterItem) }
    },
  }
}

/** @throws Refusal `not_found` for an asset without a pool. */
function findPool(rules: LendingRules, asset: AssetId): PoolRules {
  const pool = rules.pools.find((each) => each.asset === asset)
  if (!pool) throw refusal('not_found')
  return pool
}

/** @throws Refusal `not_found` without a pool, `invalid_input` for a collateral or a term that is not offered. */
function readTerms(
  rules: LendingRules,
  payload: Pick<Payload<'loanQuote'>, 'collateral_asset' | 'borrow_asset' | 'term_days'>,
): { readonly pool: PoolRules; readonly termDays: number } {
  const { collateral_asset: collateral, borrow_asset: borrow, term_days: termDays } = payload
  const pool = findPool(rules, borrow)
  if (collateral === borrow) throw invalidField('collateral_asset', 'must differ from borrow_asset')
  if (!rules.collateral.includes(collateral)) throw invalidField('collateral_asset', 'not accepted as collateral')
  if (!rules.termsDays.includes(termDays))
    throw invalidField('term_days', `must be one of ${rules.termsDays.join(', ')}`)
  return { pool, termDays }
}

function assetsOf({ collateral_asset: collateral, borrow_asset: borrowed }: LoanRow) {
  return { collateral, borrowed }
}

/** @throws Refusal `not_found` unless the order is the user's. */
async function findLoan({ store }: StakeDependencies, userId: string, orderId: string): Promise<LoanRow> {
  const row = await store.loan(userId, orderId)
  if (!row) throw refusal('not_found')
  return row
}

/** The knowledge about the prices of an order's assets. */
function knownPricesOf(deps: StakeDependencies, rules: LendingRules, order: LoanRow): Promise<KnownPrices> {
  return createPairPrices({ ...deps, rules }).of(assetsOf(order))
}

function poolMomentOf(pools: ReadonlyMap<AssetId, PoolMoment>, { asset }: PoolRules): PoolMoment {
  const moment = pools.get(asset)
  if (!moment) throw new Error(`the pool of ${asset} was not read`)
  return moment
}
