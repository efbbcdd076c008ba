import type { Queryable } from '@clearwell/ledger/database'
import { type BoxRules, faultOfBoxRules, parseBoxRules } from '@clearwell/rules/box-rules'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { defineRule } from '../../platform/rules/rule.ts'
import { fractionPart, plainPart } from '../../platform/rules/rule-parts.ts'
import type { Ruled } from '../../platform/rules/ruled.ts'
import { boxNumbersSchema } from './box-config.ts'

/**
 * The numbers of power, draw and reward. Rewards are shared, so any change worsens the position of some owner. A change counts for days
 * whose commitment is published after its start.
 */
export const boxNumbers = defineRule<BoxRules, { readonly blindBox: { readonly rules: BoxRules } }>({
  key: 'box-rules',
  configKeys: ['blindBox.rules'],
  title: { en: 'Rules of the blind box', 'zh-HK': '盲盒規則' },
  role: 'owner',
  schema: boxNumbersSchema,
  read: ({ blindBox }) => blindBox.rules,
  worsens: () => true,
  fault: faultOfBoxRules,
  parts: [
    fractionPart({ en: 'Each membership level adds', 'zh-HK': '每個會員等級增加' }, ({ levelStepBps }) => levelStepBps),
    fractionPart(
      { en: 'Each consecutive day adds', 'zh-HK': '每個連續點擊日增加' },
      ({ streakStepBps }) => streakStepBps,
    ),
    fractionPart(
      { en: 'Consecutive days add at most', 'zh-HK': '連續點擊日最多增加' },
      ({ streakMaxBps }) => streakMaxBps,
    ),
    plainPart({ en: 'Chances of the draw', 'zh-HK': '抽取的機會率' }, oddsText),
    plainPart({ en: 'Days of fees that count', 'zh-HK': '計算手續費的日數' }, ({ feeDays }) => String(feeDays)),
    plainPart({ en: 'Part of the pot per day', 'zh-HK': '每日瓜分獎勵池的部分' }, ({ poolParts }) => `1/${poolParts}`),
    plainPart({ en: 'Days to claim a reward', 'zh-HK': '領取獎勵的日數' }, ({ claimableDays }) =>
      String(claimableDays),
    ),
    plainPart({ en: 'Minutes to the block of a day', 'zh-HK': '當日區塊的時間（分鐘）' }, ({ blockMinutes }) =>
      blockMinutes.join(', '),
    ),
    plainPart(
      { en: 'Minutes from the root to its block', 'zh-HK': '公布根雜湊至區塊的時間（分鐘）' },
      ({ rootMarginMinutes }) => String(rootMarginMinutes),
    ),
    plainPart({ en: 'Hours to publish the seed', 'zh-HK': '公布種子的時限（小時）' }, ({ revealHours }) =>
      String(revealHours),
    ),
  ],
})

function oddsText({ odds }: BoxRules): string {
  return odds.map(({ factor, tickets }) => `×${factor} ${tickets}%`).join(', ')
}

/** Reads the numbers of a day: those that were published with its commitment, or the rule in force for a day that has none yet. */
export type NumbersOfDay = (day: HongKongDay) => Promise<BoxRules>

export function createNumbersOfDay(db: Queryable, ruled: Pick<Ruled<BoxRules>, 'now'>): NumbersOfDay {
  // A published day keeps its numbers, so the last one read is kept.
  let kept: { readonly day: HongKongDay; readonly numbers: BoxRules } | undefined
  return async (day) => {
    if (kept?.day === day) return kept.numbers
    const [row] = await db.query<{ rules: string | null }>('select rules from box_days where day = $1', [day])
    if (!row?.rules) return ruled.now()
    const numbers = parseBoxRules(row.rules)
    kept = { day, numbers }
    return numbers
  }
}
