import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  notices: {
    lead_activated: ({ lead }, time) => ({
      icon: 'users',
      title: m.team_notice_lead_activated({ lead }),
      detail: m.team_notice_lead_activated_detail({ time }),
    }),
    level_up: ({ level }, time) => ({
      icon: 'users',
      title: m.team_notice_level_up({ level }),
      detail: m.team_notice_level_up_detail({ time }),
    }),
  },
} as const satisfies FeatureWords
