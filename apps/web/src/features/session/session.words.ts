import { formatHongKongTime } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  notices: {
    account_frozen: ({ reason, until }, time) => ({
      icon: 'lock',
      title: m.session_notice_frozen(),
      detail: m.session_notice_frozen_detail({ until: formatHongKongTime(until), reason, time }),
    }),
    account_unfrozen: ({ reason }, time) => ({
      icon: 'check',
      title: m.session_notice_unfrozen(),
      detail: m.session_notice_detail({ reason, time }),
    }),
    sessions_revoked: ({ reason }, time) => ({
      icon: 'log-out',
      title: m.session_notice_revoked(),
      detail: m.session_notice_revoked_detail({ reason, time }),
    }),
  },
} as const satisfies FeatureWords
