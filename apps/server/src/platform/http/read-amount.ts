import { type Amount, parseAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { invalidField } from '../ledger/refuse.ts'

/**
 * Reads an amount above zero from a field of a call.
 *
 * @throws Refusal `invalid_input` for zero, and for more decimals than the asset has.
 */
export function readAmount(field: string, text: string, asset: AssetId): Amount {
  const amount = readAmountOrZero(field, text, asset)
  if (amount.units === 0n) throw invalidField(field, 'must be above zero')
  return amount
}

/** The same for a field that may be zero, such as a limit. */
export function readAmountOrZero(field: string, text: string, asset: AssetId): Amount {
  const amount = parseAmount(text, asset)
  if (!amount) throw invalidField(field, 'too many decimals')
  return amount
}
