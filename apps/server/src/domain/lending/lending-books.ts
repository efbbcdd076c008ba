import { type RowWrite, type State, type StateKey, write } from '@clearwell/ledger/command'
import type { AssetId } from '@clearwell/money/asset'
import type { Debt } from '@clearwell/rules/loan-order'
import { accrue, type LoanPool, newPool, reprice } from '@clearwell/rules/loan-pool'
import { INSURANCE } from '../../platform/ledger/accounts.ts'
import { type LoanRow, lendingPools, type PoolRow, pledgeReturns } from './lending.tables.ts'
import { lendingCash, lendingReserve } from './lending-accounts.ts'
import type { PoolRules } from './stake-config.ts'

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
    { account: INSURANCE, asset },
  ]
}

/** Reads a pool with its index grown up to a time. A pool without a row is empty. */
export function readPool(state: State, asset: AssetId, now: Date): LoanPool {
  const row = state.row(lendingPools, asset)
  return poolNow(row, state.balance(lendingCash(asset), asset), now)
}

/** The key that {@link cashForLoans} reads. */
export function returnsKey(asset: AssetId): StateKey {
  return { table: pledgeReturns, id: asset }
}

/** Returns what a pool can lend: its cash, less what accounts that leave the vault still get back from it. */
export function cashForLoans(state: State, asset: AssetId, { cash }: Pick<LoanPool, 'cash'>): bigint {
  const waiting = state.row(pledgeReturns, asset)?.waiting ?? 0n
  return cash > waiting ? cash - waiting : 0n
}

/** @param row as stored; `undefined` before the first pledge. */
export function poolNow(row: PoolRow | undefined, cash: bigint, now: Date): LoanPool {
  const seconds = secondsOf(now)
  if (!row) return newPool(seconds, cash)
  const rate = {
    belowE18: row.rate_below_e18,
    aboveE18: row.rate_above_e18,
    targetE18: row.rate_target_e18,
    speedE18: row.rate_speed_e18,
  }
  const { borrowed, debt_shares: debtShares, index_e27: indexE27, below_debt_e27: belowDebtE27, shares } = row
  const debts = { borrowed, debtShares, indexE27, belowDebtE27, accruedAt: secondsOf(row.accrued_at) }
  return accrue({ cash, ...debts, shares, rate }, seconds)
}

/** Stores a pool after a change, with its rate set to the curve. */
export function writePool({ asset, curve }: Pick<PoolRules, 'asset' | 'curve'>, changed: LoanPool): RowWrite {
  const { borrowed, debtShares, indexE27, belowDebtE27, accruedAt, shares, rate } = reprice(changed, curve)
  return write(lendingPools, {
    id: asset,
    borrowed,
    debt_shares: debtShares,
    index_e27: indexE27,
    below_debt_e27: belowDebtE27,
    accrued_at: dateOf(accruedAt),
    shares,
    rate_below_e18: rate.belowE18,
    rate_above_e18: rate.aboveE18,
    rate_target_e18: rate.targetE18,
    rate_speed_e18: rate.speedE18,
  })
}

/** The debt of an order, for the rules. */
export function debtOf({ principal, debt_shares: debtShares }: Pick<LoanRow, 'principal' | 'debt_shares'>): Debt {
  return { principal, debtShares }
}

/** @returns the pool's rules. @throws Error for an asset without a pool: pools are never removed. */
export function poolRulesOf({ pools }: { readonly pools: readonly PoolRules[] }, asset: string): PoolRules {
  const rules = pools.find((each) => each.asset === asset)
  if (!rules) throw new Error(`the lending market has no pool of ${asset}`)
  return rules
}
