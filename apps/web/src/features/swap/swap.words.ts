import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  entries: {
    swap: {
      part: 'swaps',
      name: m.swap_entry,
      sides: { sold: m.swap_entry_sold, bought: m.swap_entry_bought },
      activity: { icon: 'arrow-left-right' },
    },
    referral_share: {
      part: 'rewards',
      name: m.swap_entry_referral_share,
      activity: { icon: 'hand-coins', fileName: 'reward' },
    },
  },
} as const satisfies FeatureWords
