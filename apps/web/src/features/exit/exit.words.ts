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
    exit_advance: {
      part: 'transfers',
      name: m.exit_entry_advance,
      activity: 'deposit',
    },
    exit_advance_return: {
      part: 'transfers',
      name: m.exit_entry_advance_return,
      activity: 'deposit_reversal',
    },
  },
} as const satisfies FeatureWords
