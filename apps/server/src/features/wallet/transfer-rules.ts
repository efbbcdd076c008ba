import * as z from 'zod/mini'
import { amount, isAbove } from '../../config/fields.ts'
import { defineRule, type Rule } from '../../platform/rules/rule.ts'
import { amountPart } from '../../platform/rules/rule-parts.ts'

const limits = z.strictObject({ minIn: amount, maxIn: amount, minOut: amount, maxOut: amount })
export type TransferValues = z.output<typeof limits>
export type TransferAsset = 'BNB' | 'USDT' | 'ETH'

/** The limits of one transfer. Users lose when a minimum rises or a maximum falls. */
function transferRule(
  asset: TransferAsset,
): Rule<TransferValues, { readonly limits: Record<TransferAsset, TransferValues> }> {
  return defineRule<TransferValues, { readonly limits: Record<TransferAsset, TransferValues> }>({
    key: `limits-${asset}`,
    configKeys: [`limits.${asset}`],
    title: { en: `Limits of a transfer of ${asset}`, 'zh-HK': `${asset} 每次轉帳的限額` },
    role: 'risk',
    schema: limits,
    read: (config) => config.limits[asset],
    worsens: (before, after) =>
      isAbove(after.minIn, before.minIn) ||
      isAbove(after.minOut, before.minOut) ||
      isAbove(before.maxIn, after.maxIn) ||
      isAbove(before.maxOut, after.maxOut),
    fault: ({ minIn, maxIn, minOut, maxOut }) => {
      if (!isAbove(minIn, '0') || !isAbove(minOut, '0')) return 'a minimum must be above zero'
      return isAbove(minIn, maxIn) || isAbove(minOut, maxOut) ? 'a minimum must not be above its maximum' : undefined
    },
    parts: [
      amountPart({ en: 'Minimum in', 'zh-HK': '最少轉入' }, asset, ({ minIn }) => minIn),
      amountPart({ en: 'Maximum in', 'zh-HK': '最多轉入' }, asset, ({ maxIn }) => maxIn),
      amountPart({ en: 'Minimum out', 'zh-HK': '最少轉出' }, asset, ({ minOut }) => minOut),
      amountPart({ en: 'Maximum out', 'zh-HK': '最多轉出' }, asset, ({ maxOut }) => maxOut),
    ],
  })
}

export const TRANSFER_RULES = { BNB: transferRule('BNB'), USDT: transferRule('USDT'), ETH: transferRule('ETH') }
