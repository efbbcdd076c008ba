import type { SwapFees } from '@clearwell/rules/swap'
import * as z from 'zod/mini'
import { bps } from '../../config/fields.ts'
import { defineRule } from '../../platform/rules/rule.ts'
import { fractionPart } from '../../platform/rules/rule-parts.ts'

const fees = z.strictObject({ feeBps: bps, revenueBps: bps })
type SwapFeeValue = z.output<typeof fees>

/** The fee of a swap. Traders lose by a higher one. Owners of boxes and inviters lose when less of it becomes revenue. */
export const swapFees = defineRule<SwapFeeValue, { readonly swap: SwapFeeValue }>({
  key: 'swap-fees',
  configKeys: ['swap.feeBps', 'swap.revenueBps'],
  title: { en: 'Swap fee', 'zh-HK': '閃兌手續費' },
  role: 'owner',
  schema: fees,
  read: ({ swap: { feeBps, revenueBps } }) => ({ feeBps, revenueBps }),
  worsens: (before, after) =>
    after.feeBps > before.feeBps || after.revenueBps * before.feeBps < before.revenueBps * after.feeBps,
  fault: ({ feeBps, revenueBps }) => (revenueBps > feeBps ? 'revenueBps must not be above feeBps' : undefined),
  parts: [
    fractionPart({ en: 'Whole fee', 'zh-HK': '全部手續費' }, ({ feeBps }) => feeBps),
    fractionPart({ en: 'Part that becomes revenue', 'zh-HK': '撥作收益的部分' }, ({ revenueBps }) => revenueBps),
  ],
})

export function swapFeesOf({ feeBps, revenueBps }: SwapFeeValue): SwapFees {
  return { totalBps: BigInt(feeBps), revenueBps: BigInt(revenueBps) }
}
