import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import type { PayWay } from '../../vault-payment/pay-way.ts'
import type { ConfiguredAsset } from '../../vault-payment/payment-assets.ts'

/** The fault of an amount to transfer; `undefined` when there is none. */
export type AmountProblem = 'missing' | 'invalid' | 'under_min' | 'over_max' | 'over_balance' | 'over_today' | undefined

/** The least and the most of one transfer, as plain decimal text, and the decimals that the asset has on the chain. */
export interface Limits {
  readonly min: string
  readonly max: string
  readonly decimals: number
}

export function limitsIn({ min_in: min, max_in: max, decimals }: ConfiguredAsset): Limits {
  return { min, max, decimals }
}

export function limitsOut({ min_out: min, max_out: max, decimals }: ConfiguredAsset): Limits {
  return { min, max, decimals }
}

/**
 * @param balance the transferable amount, in base units; `undefined` while unknown.
 * @param today the rest of the daily limits, in base units; `undefined` without limits or while unknown.
 */
export function amountProblem(
  amount: string,
  limits: Limits,
  balance: bigint | undefined,
  today?: bigint | undefined,
): AmountProblem {
  if (amount === '') return 'missing'
  const units = parseUnits(amount, limits.decimals)
  if (units === undefined) return 'invalid'
  if (units === 0n) return 'missing'
  if (units > limitUnits(limits.max, limits)) return 'over_max'
  if (balance !== undefined && units > balance) return 'over_balance'
  if (today !== undefined && units > today) return 'over_today'
  if (units < limitUnits(limits.min, limits)) return 'under_min'
  return undefined
}

/**
 * Gas that the calls take: the most that receipts of the vault with the test tokens showed (29,534 for the coin; 65,147
 * for a token, 82,006 with its permit, 46,341 for an approval before it; 138,418 for a voucher that pays an account which
 * held none), and about a fifth more for costlier tokens; with a permit what a node estimates, 101,906, is above that. A
 * hint, until the wallet names its own figure.
 */
const GAS = { native: 35_000n, allowed: 80_000n, permit: 110_000n, approve: 135_000n, out: 165_000n } as const

/** About what the network takes for a transfer, in base units of the native coin. */
export function networkFee(way: PayWay | 'out', gasPrice: bigint): bigint {
  return GAS[way] * gasPrice
}

/** The most that Max may fill in: of the native coin twice the fee stays behind, for a gas price that rises. */
export function mostToTransfer(balance: bigint, limits: Limits, nativeFee: bigint): string {
  const spendable = maxUnits(balance - mulDiv(nativeFee, 2n, 1n, 'up'), 0n)
  return formatUnits(minUnits(spendable, limitUnits(limits.max, limits)), limits.decimals)
}

function limitUnits(text: string, { decimals }: Limits): bigint {
  const units = parseUnits(text, decimals)
  if (units === undefined) throw new TypeError(`the limit ${JSON.stringify(text)} is not an amount`)
  return units
}
