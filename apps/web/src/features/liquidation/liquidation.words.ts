import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  entries: {
    liquidation: { part: 'loans', name: m.liquidation_entry, activity: { icon: 'scale' } },
  },
} as const satisfies FeatureWords
