import type { RefusalName } from '@clearwell/api/codes'
import type { AssetId } from '@clearwell/money/asset'
import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import { call, unlessRefused } from './calls.ts'
import {
  addTo,
  type Chance,
  callAs,
  roundAmount,
  type SimulatedUser,
  textOf,
  type UserContext,
  unitsOf,
} from './simulated-user.ts'

/** A pledge is from 30 to 59 hundredths of a holding, and a collateral from 40 to 69. */
const [LEAST_PLEDGED, LEAST_SECURED, MORE] = [30n, 40n, 30n]
/** Users do not bother with less: a tenth of a BNB or an ETH. */
const LEAST_COLLATERAL = E18 / 10n
/** A loan is from 25 to 54 hundredths of its collateral's value: most stay below every limit. */
const LEAST_LTV = 25n
/** Long terms, so that few loans of a demo are overdue. */
const TERMS = [30, 90, 180] as const

/** Ordinary reasons of refusals, such as a pool without cash. */
const EXPECTED: readonly RefusalName[] = [
  'amount_out_of_range',
  'exceeds_lending_pool',
  'trading_suspended',
  'price_out_of_date',
  'too_many_open',
]

/** Pledges a part of a holding. Nothing where the pool does not take it now. */
export async function pledgeSome(context: UserContext, user: SimulatedUser, { chance, key }: Chance): Promise<void> {
  const asset: AssetId = chance % 4 === 0 ? 'BNB' : 'USDT'
  const units = partOf(user, asset, LEAST_PLEDGED + (BigInt(chance >>> 8) % MORE))
  if (units === 0n) return
  const pledge = callAs(context, user, 'pledge', { asset, amount: textOf(units, asset) }, key)
  if (await unlessRefused(pledge, EXPECTED)) addTo(user, asset, -units)
}

/** Borrows USDT against a part of a holding, at most half of the largest order. Nothing where the pool or the market does not allow it now. */
export async function borrowSome(context: UserContext, user: SimulatedUser, { chance, key }: Chance): Promise<void> {
  const part = LEAST_SECURED + (BigInt(chance >>> 8) % MORE)
  // Users who have little of one use the other.
  const [first, other] = chance % 3 === 0 ? (['ETH', 'BNB'] as const) : (['BNB', 'ETH'] as const)
  const collateral = partOf(user, first, part) >= LEAST_COLLATERAL ? first : other
  const secured = partOf(user, collateral, part)
  const { price } = await call(context, 'spotTicker', { symbol: `${collateral}USDT` })
  if (price === null) return
  const worth = mulDiv(secured, unitsOf(price, 'USDT'), E18, 'down')
  const wanted = (worth * (LEAST_LTV + (BigInt(chance >>> 16) % MORE))) / 100n
  const market = await call(context, 'stakeMarket', {})
  const most = unitsOf(market.find(({ asset }) => asset === 'USDT')?.order_max ?? '0', 'USDT')
  const borrowed = roundAmount(minUnits(wanted, most / 2n))
  if (borrowed === 0n) return
  const loan = {
    collateral_asset: collateral,
    collateral_amount: textOf(secured, collateral),
    borrow_asset: 'USDT',
    borrow_amount: textOf(borrowed, 'USDT'),
    term_days: TERMS[(chance >>> 4) % TERMS.length] as number,
  } as const
  if (!(await unlessRefused(callAs(context, user, 'lend', loan, key), EXPECTED))) return
  addTo(user, collateral, -secured)
  addTo(user, 'USDT', borrowed)
}

/** Repays half of the newest loan, or all of a small one. Nothing without a loan or without the money. */
export async function repaySome(
  context: UserContext,
  user: SimulatedUser,
  { key }: Pick<Chance, 'key'>,
): Promise<void> {
  const { items } = await callAs(context, user, 'stakeOrders', { limit: 1 })
  const [order] = items
  if (!order || (order.status !== 2 && order.status !== 0)) return
  const { order_id, borrow_asset: asset } = order
  const units = roundAmount(unitsOf(order.total_debt, asset) / 2n)
  if (units === 0n || units > (user.held?.get(asset) ?? 0n)) return
  const repayment = callAs(context, user, 'repay', { order_id, amount: textOf(units, asset) }, key)
  if (await unlessRefused(repayment, EXPECTED)) addTo(user, asset, -units)
}

function partOf(user: SimulatedUser, asset: AssetId, hundredths: bigint): bigint {
  return roundAmount(((user.held?.get(asset) ?? 0n) * hundredths) / 100n)
}
