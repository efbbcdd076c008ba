import { type RowWrite, type State, type StateKey, write } from '@clearwell/ledger/command'
import type { AssetId } from '@clearwell/money/asset'
import { maxUnits } from '@clearwell/money/min-max'
import { fadeUtilisation, utilisation } from '@clearwell/rules/interest'
import { accrue, type LendingPool } from '@clearwell/rules/lending-pool'
import type { Debt } from '@clearwell/rules/loan'
import { lendingCash, lendingReserve } from '../ledger/accounts.ts'
import { type LoanRow, lendingPools } from './lending.tables.ts'

/** A pool at a time, with its interest accrued, and the utilisation that new loans are priced by at least. */
export interface PoolNow {
  readonly pool: LendingPool
  readonly rememberedE18: bigint
}

/** Whole seconds since 1970. Interest is per second. */
export function secondsOf(time: Date): bigint {
  return BigInt(Math.floor(time.getTime() / 1_000))
}

export function dateOf(seconds: bigint): Date {
  return new Date(Number(seconds) * 1_000)
}

/** Keys that every change of a pool reads. */
export function poolKeys(asset: AssetId): StateKey[] {
  return [
    { table: lendingPools, id: asset },
    { account: lendingCash(asset), asset },
    { account: lendingReserve(asset), asset },
  ]
}

/** Reads a pool with the interest of all its loans accrued. A pool without a row is empty. */
export function readPool(state: State, asset: AssetId, now: Date): PoolNow {
  const row = state.row(lendingPools, asset)
  const cash = state.balance(lendingCash(asset), asset)
  return poolNow(row, cash, now)
}

/** @param row as stored; `undefined` before the first pledge. */
export function poolNow(
  row: Awaited<ReturnType<typeof lendingPools.load>>[number] | undefined,
  cash: bigint,
  now: Date,
): PoolNow {
  const seconds = secondsOf(now)
  if (!row) {
    const pool = { cash, borrowed: 0n, rateSum: 0n, accrued: 0n, accruedAt: seconds, shares: 0n }
    return { pool, rememberedE18: 0n }
  }
  const { borrowed, rate_sum: rateSum, accrued, accrued_at: at, shares } = row
  const pool = accrue({ cash, borrowed, rateSum, accrued, accruedAt: secondsOf(at), shares }, seconds)
  const fadedFor = maxUnits(0n, seconds - secondsOf(row.remembered_at))
  const remembered = fadeUtilisation(row.remembered_e18, fadedFor)
  return { pool, rememberedE18: maxUnits(remembered, utilisation(pool)) }
}

/** Stores a pool after a change. Remembers its utilisation if that is higher than the remembered one. */
export function writePool(asset: AssetId, { pool, rememberedE18 }: PoolNow, now: Date): RowWrite {
  const { borrowed, rateSum, accrued, accruedAt, shares } = pool
  return write(lendingPools, {
    id: asset,
    borrowed,
    rate_sum: rateSum,
    accrued,
    accrued_at: dateOf(accruedAt),
    shares,
    remembered_e18: maxUnits(rememberedE18, utilisation(pool)),
    remembered_at: now,
  })
}

/** The debt of an order, for the rules. */
export function debtOf({
  principal,
  rate_e18: rateE18,
  accrued,
  accrued_at: at,
}: Pick<LoanRow, 'principal' | 'rate_e18' | 'accrued' | 'accrued_at'>): Debt {
  return { principal, rateE18, accrued, accruedAt: secondsOf(at) }
}
