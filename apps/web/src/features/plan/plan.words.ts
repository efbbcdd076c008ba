import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'
import { reasonText, skipReasonText } from './plan-reason.ts'
import { shortAmount } from './plan-words.ts'

/** Swaps of plans are swaps in the ledger, so the words of the swap name their entries. */
export default {
  notices: {
    plan_made: ({ kind, sold, amount_in, bought, amount_out }, time) => {
      const sides = { sold: shortAmount(amount_in, sold), bought: shortAmount(amount_out, bought) }
      const title = kind === 'limit' ? m.plan_notice_made_limit(sides) : m.plan_notice_made_schedule(sides)
      return { icon: 'arrow-left-right', title, detail: time }
    },
    plan_skipped: ({ sold, amount_in, reason, skipped }, time) => ({
      icon: 'calendar-clock',
      title: m.plan_notice_skipped({ sold: shortAmount(amount_in, sold) }),
      detail: m.plan_notice_skipped_detail({ why: skipReasonText(reason), n: skipped, time }),
    }),
    plan_paused: ({ symbol, last_reason }, time) => ({
      icon: 'triangle-alert',
      title: m.plan_notice_paused({ symbol }),
      detail: m.plan_notice_paused_detail({ why: skipReasonText(last_reason), time }),
    }),
    plan_ended: ({ kind, sold, amount_in, reason }, time) => {
      const amount = { sold: shortAmount(amount_in, sold) }
      const why = reasonText({ kind, reason })
      return {
        icon: 'triangle-alert',
        title: kind === 'limit' ? m.plan_notice_ended_limit(amount) : m.plan_notice_ended_schedule(amount),
        detail: why === undefined ? time : m.plan_notice_detail({ why, time }),
      }
    },
  },
} as const satisfies FeatureWords
