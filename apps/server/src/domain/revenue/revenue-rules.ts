import type { RevenueParts } from '@clearwell/rules/revenue-split'
import type * as z from 'zod/mini'
import { platformConfig, revenueShares } from '../../config/platform-config.ts'
import { defineRule } from '../../platform/rules/rule.ts'
import { fractionPart } from '../../platform/rules/rule-parts.ts'

const shares = platformConfig.shape.revenueSplitBps
type Shares = z.output<typeof shares>

/** How revenue is shared out. Users lose when the part of the rewards, of inviters or of the insurance falls. */
export const revenueSplit = defineRule<Shares, { readonly revenueSplitBps: Shares }>({
  key: 'revenue-split',
  configKeys: ['revenueSplitBps'],
  title: { en: 'Split of revenue', 'zh-HK': '收益分配' },
  role: 'owner',
  schema: shares,
  read: ({ revenueSplitBps }) => revenueSplitBps,
  worsens: (before, after) =>
    after.rewards < before.rewards || after.referral < before.referral || after.insurance < before.insurance,
  fault: ({ rewards, referral, insurance, treasury }) =>
    rewards + referral + insurance + treasury === 10_000 ? undefined : 'the parts must add up to 10000',
  parts: [
    fractionPart({ en: 'Blind box rewards', 'zh-HK': '盲盒獎勵' }, ({ rewards }) => rewards),
    fractionPart({ en: 'Inviters', 'zh-HK': '邀請人' }, ({ referral }) => referral),
    fractionPart({ en: 'Insurance', 'zh-HK': '保險金' }, ({ insurance }) => insurance),
    fractionPart({ en: 'Treasury', 'zh-HK': '庫房' }, ({ treasury }) => treasury),
  ],
})

export function sharesOf(revenueSplitBps: Shares): RevenueParts {
  return revenueShares({ revenueSplitBps })
}
