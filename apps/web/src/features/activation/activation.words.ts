import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  entries: {
    activation: { part: 'transfers', name: m.activation_entry, activity: { icon: 'check' } },
  },
} as const satisfies FeatureWords
