import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  entries: {
    exit: {
      part: 'transfers',
      name: m.exit_entry,
      activity: 'withdrawal',
    },
  },
} as const satisfies FeatureWords
