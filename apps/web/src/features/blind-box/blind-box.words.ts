import type { NoticeParams } from '@clearwell/api/notice-kinds'
import { formatAmount, formatList, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  entries: {
    box_reward: { part: 'rewards', name: m.box_entry_reward, activity: { icon: 'hand-coins' } },
  },
  // A reward of four assets takes lines, so it belongs to the detail: a new notice covers the top of a screen.
  notices: {
    box_claimable: ({ reward, expires_at }, sent) => ({
      icon: 'hand-coins',
      title: m.box_notice_claimable(),
      detail: m.box_notice_claimable_detail({ reward: rewardText(reward), time: formatDateTime(expires_at), sent }),
    }),
    box_expiring: ({ reward, expires_at }, sent) => ({
      icon: 'bell',
      title: m.box_notice_expiring(),
      detail: m.box_notice_expiring_detail({ reward: rewardText(reward), time: formatDateTime(expires_at), sent }),
    }),
  },
} as const satisfies FeatureWords

function rewardText(reward: NoticeParams<'box_claimable'>['reward']): string {
  return formatList(
    reward.map(({ asset, amount }) => `${formatAmount(amount, { decimals: significantDecimals(amount) })} ${asset}`),
  )
}
