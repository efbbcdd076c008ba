import * as z from 'zod/mini'
import { defineConfig, type ValuesOf } from '../../config/config-part.ts'
import { amount, configUnits, isAbove, refuseZero } from '../../config/fields.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'

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

type TransferConfig = ValuesOf<typeof walletConfig.shape> & Pick<PlatformConfig, 'withdrawals'>
type TransferAsset = 'BNB' | 'USDT' | 'ETH'

/** The maximum per transfer out, never above the signer's limit per voucher. */
export function maxOut({ limits, withdrawals }: TransferConfig, asset: TransferAsset): string {
  const { perVoucher } = withdrawals.caps[asset]
  return configUnits(perVoucher, asset) < configUnits(limits[asset].maxOut, asset) ? perVoucher : limits[asset].maxOut
}

/** The limits of one transfer, in base units. */
export function transferLimits(config: TransferConfig) {
  const of = (asset: TransferAsset) => ({
    minIn: configUnits(config.limits[asset].minIn, asset),
    maxIn: configUnits(config.limits[asset].maxIn, asset),
    minOut: configUnits(config.limits[asset].minOut, asset),
    maxOut: configUnits(maxOut(config, asset), asset),
  })
  return { BNB: of('BNB'), USDT: of('USDT'), ETH: of('ETH') }
}
