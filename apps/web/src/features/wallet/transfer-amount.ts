import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import type { ConfiguredAsset } from './wallet.queries.ts'

/** What is wrong with an amount to transfer in; `undefined` when nothing is. */
export type AmountProblem = 'missing' | 'invalid' | 'under_min' | 'over_max' | 'over_balance' | undefined

type Limits = Pick<ConfiguredAsset, 'min_in' | 'max_in' | 'decimals'>

/** @param balance what the wallet holds on the chain, in base units; `undefined` while that is not known. */
export function amountProblem(amount: string, limits: Limits, balance: bigint | undefined): AmountProblem {
  if (amount === '') return 'missing'
  const units = parseUnits(amount, limits.decimals)
  if (units === undefined) return 'invalid'
  if (units === 0n) return 'missing'
  if (units > limitUnits(limits.max_in, limits)) return 'over_max'
  if (balance !== undefined && units > balance) return 'over_balance'
  if (units < limitUnits(limits.min_in, limits)) return 'under_min'
  return undefined
}

/**
 * Gas that the calls take: measured on the vault with the test tokens (46,000, 65,000 and 30,000 at most) with room for
 * costlier tokens. A hint, until the wallet names its own figure.
 */
const GAS = { approve: 60_000n, depositToken: 100_000n, depositNative: 50_000n } as const

/** About what the network takes for a transfer in, in base units of the native coin. */
export function networkFee(transfer: { native: boolean; approves: boolean }, gasPrice: bigint): bigint {
  if (transfer.native) return GAS.depositNative * gasPrice
  return (GAS.depositToken + (transfer.approves ? GAS.approve : 0n)) * gasPrice
}

/** The most that Max may fill in: of the native coin twice the fee stays behind, for a gas price that rises. */
export function mostToTransfer(balance: bigint, limits: Limits, nativeFee: bigint): string {
  const spendable = maxUnits(balance - mulDiv(nativeFee, 2n, 1n, 'up'), 0n)
  return formatUnits(minUnits(spendable, limitUnits(limits.max_in, limits)), limits.decimals)
}

function limitUnits(text: string, { decimals }: Limits): bigint {
  const units = parseUnits(text, decimals)
  if (units === undefined) throw new TypeError(`the limit ${JSON.stringify(text)} is not an amount`)
  return units
}
