import * as z from 'zod/mini'
import { amount, isAbove } from '../../config/fields.ts'
import { defineRule, type Rule } from '../rules/rule.ts'
import { amountPart } from '../rules/rule-parts.ts'

const caps = z.strictObject({ perVoucher: amount, perAccountPerDay: amount, perDay: amount })
export type CapValues = z.output<typeof caps>
export type CapAsset = 'BNB' | 'USDT' | 'ETH'

interface CapConfig {
  readonly withdrawals: { readonly caps: Record<CapAsset, CapValues> }
}

/**
 * The signer's caps of an asset. The configuration file stays a ceiling: someone who can write the database alone raises nothing. Users
 * lose when a cap falls.
 */
function capRule(asset: CapAsset): Rule<CapValues, CapConfig> {
  return defineRule<CapValues, CapConfig>({
    key: `caps-${asset}`,
    // The file counts too, so servers still compare its caps.
    configKeys: [],
    title: { en: `Caps on transfers out of ${asset}`, 'zh-HK': `${asset} 轉出上限` },
    role: 'risk',
    schema: caps,
    read: ({ withdrawals }) => withdrawals.caps[asset],
    worsens: (before, after) =>
      isAbove(before.perVoucher, after.perVoucher) ||
      isAbove(before.perAccountPerDay, after.perAccountPerDay) ||
      isAbove(before.perDay, after.perDay),
    fault: ({ perVoucher, perAccountPerDay, perDay }) =>
      isAbove(perVoucher, perAccountPerDay) || isAbove(perAccountPerDay, perDay)
        ? 'perVoucher must not be above perAccountPerDay, nor that above perDay'
        : undefined,
    parts: [
      amountPart({ en: 'Each transfer out', 'zh-HK': '每次轉出' }, asset, ({ perVoucher }) => perVoucher),
      amountPart(
        { en: 'One account in 24 hours', 'zh-HK': '每個帳戶 24 小時內' },
        asset,
        ({ perAccountPerDay }) => perAccountPerDay,
      ),
      amountPart({ en: 'All accounts in 24 hours', 'zh-HK': '所有帳戶 24 小時內' }, asset, ({ perDay }) => perDay),
    ],
  })
}

export const CAP_RULES = { BNB: capRule('BNB'), USDT: capRule('USDT'), ETH: capRule('ETH') }

/** The caps that count: the lower of those in the configuration file and those in force. */
export function lowerCaps(file: CapValues, inForce: CapValues): CapValues {
  const lower = (name: keyof CapValues) => (isAbove(file[name], inForce[name]) ? inForce[name] : file[name])
  return {
    perVoucher: lower('perVoucher'),
    perAccountPerDay: lower('perAccountPerDay'),
    perDay: lower('perDay'),
  }
}
