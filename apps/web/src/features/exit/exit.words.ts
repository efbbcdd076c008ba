import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  entries: {
    exit: {
      part: 'transfers',
      name: m.exit_entry,
      activity: 'withdrawal',
    },
    exit_reversal: {
      part: 'transfers',
      name: m.exit_entry_reversal,
      activity: 'deposit_reversal',
    },
  },
} as const satisfies FeatureWords
