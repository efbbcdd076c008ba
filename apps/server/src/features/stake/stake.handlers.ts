import type { Payload } from '@clearwell/api/routes'
import type { Writer } from '@clearwell/ledger/writer'
import { type Amount, parseAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import type { PoolRules } from '../../config/stake-config.ts'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import type { Handlers } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import type { LendingStore } from '../../platform/lending/lending.store.ts'
import type { LoanRow } from '../../platform/lending/lending.tables.ts'
import type { LendingParameters, LendingRules } from '../../platform/lending/lending-parameters.ts'
import { loanItem } from '../../platform/lending/loan-item.ts'
import { type FreshPrices, requireFreshPrices } from '../../platform/lending/loan-prices.ts'
import { createPairPrices } from '../../platform/lending/pair-prices.ts'
import type { Prices } from '../../platform/prices/prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { addCollateral, removeCollateral } from './change-collateral.ts'
import { pledgeToPool, withdrawFromPool } from './change-pledge.ts'
import { quoteLoan } from './loan-quote.ts'
import { openLoan } from './open-loan.ts'
import { parameterItem } from './parameter-item.ts'
import { marketItem, pledgeItem } from './pool-items.ts'
import { repayLoan } from './repay-loan.ts'
import { createStressTest } from './stress-test.ts'

export interface StakeDependencies {
  readonly store: LendingStore
  readonly writer: Writer
  readonly clock: Clock
  readonly prices: Prices
  readonly parameters: LendingParameters
}

type StakeHandlers = Handlers<
  | 'stakeMarket'
  | 'pledgeInfo'
  | 'pledge'
  | 'unpledge'
  | 'loanQuote'
  | 'lend'
  | 'addCollateral'
  | 'removeCollateral'
  | 'repay'
  | 'stakeOrders'
  | 'stakeStress'
  | 'stakeParameters'
>

export function stakeHandlers(deps: StakeDependencies): StakeHandlers {
  return { ...pledgeHandlers(deps), ...loanHandlers(deps), ...listHandlers(deps), ...publicHandlers(deps) }
}

function pledgeHandlers(deps: StakeDependencies): Pick<StakeHandlers, 'pledgeInfo' | 'pledge' | 'unpledge'> {
  const { store, writer, clock, parameters } = deps
  return {
    async pledgeInfo(_payload, { user }) {
      const rules = await parameters.rules()
      const assets = rules.pools.map(({ asset }) => asset)
      const { pools, pledges } = await store.state(assets, clock.now(), user.id)
      return rules.pools.map((each) => pledgeItem(each, pools.get(each.asset), pledges))
    },
    async pledge({ asset, amount }, { user, idempotencyKey: key }) {
      const pool = findPool(await parameters.rules(), asset)
      return writer.execute(pledgeToPool(pool, { userId: user.id, amount: readAmount('amount', amount, asset), key }))
    },
    async unpledge({ asset, amount }, { user, idempotencyKey: key }) {
      const pool = findPool(await parameters.rules(), asset)
      const units = amount === 'all' ? 'all' : readAmount('amount', amount, asset).units
      return writer.execute(withdrawFromPool(pool, { userId: user.id, asset, amount: units, key }))
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
      const terms = readTerms(rules, payload)
      const collateral = readAmount('collateral_amount', payload.collateral_amount, payload.collateral_asset)
      const borrow = readAmount('borrow_amount', payload.borrow_amount, payload.borrow_asset)
      const maxRateE18 = payload.max_rate === undefined ? undefined : parseUnits(payload.max_rate, 18)
      const assets = { collateral: payload.collateral_asset, borrowed: payload.borrow_asset }
      const prices = await createPairPrices({ ...deps, rules }).of(assets)
      const input = { userId: user.id, collateral, borrow, termDays: terms.termDays, maxRateE18, prices, key }
      return writer.execute(openLoan({ ...rules, ...terms.pool }, input))
    },
    async addCollateral({ order_id: orderId, amount }, { user, idempotencyKey: key }) {
      const order = await findLoan(deps, user.id, orderId)
      const input = { userId: user.id, orderId, amount: readAmount('amount', amount, assetsOf(order).collateral), key }
      const rules = await parameters.rules()
      return writer.execute(addCollateral(rules, input, await knownPricesOf(deps, rules, order)))
    },
    async removeCollateral({ order_id: orderId, amount }, { user, idempotencyKey: key }) {
      const order = await findLoan(deps, user.id, orderId)
      const input = { userId: user.id, orderId, amount: readAmount('amount', amount, assetsOf(order).collateral), key }
      const rules = await parameters.rules()
      return writer.execute(removeCollateral(rules, input, await knownPricesOf(deps, rules, order)))
    },
    async repay({ order_id: orderId, amount }, { user, idempotencyKey: key }) {
      const order = await findLoan(deps, user.id, orderId)
      const assets = assetsOf(order)
      const rules = await parameters.rules()
      const { reserveBps } = findPool(rules, assets.borrowed)
      const units = amount === 'all' ? 'all' : readAmount('amount', amount, assets.borrowed).units
      const prices = await knownPricesOf(deps, rules, order)
      const input = { userId: user.id, orderId, amount: units, key, assets, prices } as const
      return writer.execute(repayLoan({ ...rules, reserveBps }, input))
    },
  }
}

function listHandlers(deps: StakeDependencies): Pick<StakeHandlers, 'stakeMarket' | 'loanQuote' | 'stakeOrders'> {
  const { store, clock, prices, parameters } = deps
  return {
    async stakeMarket() {
      const rules = await parameters.rules()
      const assets = rules.pools.map(({ asset }) => asset)
      const [{ pools }, safety] = await Promise.all([store.state(assets, clock.now()), store.safety(assets)])
      return Promise.all(
        rules.pools.map(async (each) => {
          const price = await freshPriceE18(prices, each.asset)
          const safe = safety.get(each.asset)
          return marketItem(each, pools.get(each.asset), { ...rules, priceE18: price, safety: safe })
        }),
      )
    },
    async loanQuote(payload) {
      const { collateral_asset: collateral, borrow_asset: borrowed } = payload
      const rules = await parameters.rules()
      const { pool, termDays } = readTerms(rules, payload)
      const now = clock.now()
      const fresh = requireFreshPrices(await createPairPrices({ ...deps, rules }).of({ collateral, borrowed }), now)
      const state = (await store.state([borrowed], now)).pools.get(borrowed)
      if (!state) throw refusal('not_found')
      const units = (field: 'collateral_amount' | 'borrow_amount', asset: AssetId) =>
        payload[field] === undefined ? undefined : readAmount(field, payload[field], asset)
      const amounts = { collateral: units('collateral_amount', collateral), borrow: units('borrow_amount', borrowed) }
      return quoteLoan({ pool, limits: rules.limits, state, now }, { ...payload, ...amounts, termDays, prices: fresh })
    },
    async stakeOrders({ status, cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await store.loans(user.id, status as LoanRow['status'] | undefined, decodeCursor(cursor), limit + 1)
      const now = clock.now()
      const rules = await parameters.rules()
      const known = new Map<LoanRow, FreshPrices | undefined>()
      for (const row of rows) known.set(row, await knownPricesOf(deps, rules, row))
      return pageOf(
        rows,
        limit,
        (row) => loanItem(row, { limits: rules.limits, prices: known.get(row), now }),
        (row) => encodeCursor({ at: row.created_at, id: row.id }),
      )
    },
  }
}

function publicHandlers(deps: StakeDependencies): Pick<StakeHandlers, 'stakeStress' | 'stakeParameters'> {
  const stress = createStressTest(deps)
  return {
    stakeStress: () => stress.get(undefined),
    async stakeParameters() {
      const { now, announced } = await deps.parameters.sets()
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
  return { collateral: collateral as AssetId, borrowed: borrowed as AssetId }
}

/** @throws Refusal `not_found` unless the order is the user's. */
async function findLoan({ store }: StakeDependencies, userId: string, orderId: string): Promise<LoanRow> {
  const row = await store.loan(userId, orderId)
  if (!row) throw refusal('not_found')
  return row
}

/** The prices of an order's assets; `undefined` while one is out of date. */
function knownPricesOf(deps: StakeDependencies, rules: LendingRules, order: LoanRow): Promise<FreshPrices | undefined> {
  return createPairPrices({ ...deps, rules }).of(assetsOf(order))
}

/** The price of an asset in USDT; `undefined` while it is out of date. */
async function freshPriceE18(prices: Prices, asset: AssetId): Promise<bigint | undefined> {
  if (asset === 'USDT') return prices.priceUsdtE18(asset)
  const price = await prices.price(`${asset}USDT`)
  return price?.stale ? undefined : price?.priceE18
}

/** @throws Refusal `invalid_input` for zero or too many decimals. */
function readAmount(field: string, text: string, asset: AssetId): Amount {
  const amount = parseAmount(text, asset)
  if (!amount) throw invalidField(field, 'too many decimals')
  if (amount.units === 0n) throw invalidField(field, 'must be above zero')
  return amount
}
