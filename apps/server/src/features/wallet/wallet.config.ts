import * as z from 'zod/mini'
import { defineConfig } from '../../config/config-part.ts'
import { amount, configUnits, isAbove, refuseZero } from '../../config/fields.ts'
import type { CapValues } from '../../platform/signer/cap-rules.ts'
import type { TransferAsset, TransferValues } from './transfer-rules.ts'

const limits = z.strictObject({
  minIn: amount.check(z.describe('minimum per transfer in')),
  maxIn: amount.check(z.describe('maximum per transfer in')),
  minOut: amount.check(z.describe('minimum per transfer out')),
  maxOut: amount.check(z.describe('maximum per transfer out')),
})

export const walletConfig = defineConfig({
  shape: { limits: z.strictObject({ BNB: limits, USDT: limits, ETH: limits }) },
  check(values, fail) {
    for (const [asset, { minIn, maxIn, minOut, maxOut }] of Object.entries(values.limits)) {
      refuseZero(`limits.${asset}.minIn`, minIn, fail)
      refuseZero(`limits.${asset}.minOut`, minOut, fail)
      if (isAbove(minIn, maxIn)) fail(`limits.${asset}.minIn must not be above maxIn`)
      if (isAbove(minOut, maxOut)) fail(`limits.${asset}.minOut must not be above maxOut`)
    }
  },
})

/** The maximum per transfer out, never above the signer's cap per voucher. */
export function maxOut(limit: string, { perVoucher }: Pick<CapValues, 'perVoucher'>): string {
  return isAbove(limit, perVoucher) ? perVoucher : limit
}

/** The limits of one transfer, in base units. */
export function transferLimits(
  asset: TransferAsset,
  { minIn, maxIn, minOut, maxOut: limit }: TransferValues,
  caps: Pick<CapValues, 'perVoucher'>,
) {
  return {
    minIn: configUnits(minIn, asset),
    maxIn: configUnits(maxIn, asset),
    minOut: configUnits(minOut, asset),
    maxOut: configUnits(maxOut(limit, caps), asset),
  }
}
