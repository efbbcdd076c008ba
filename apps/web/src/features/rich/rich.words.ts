import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  entries: {
    rt_deposit: { name: m.rich_entry_rt_deposit, activity: { icon: 'lock', isBetweenAccounts: true } },
    rt_deposit_return: {
      name: m.rich_entry_rt_deposit_return,
      activity: { icon: 'hand-coins', isBetweenAccounts: true },
    },
    rt_take_back: { name: m.rich_entry_rt_take_back, activity: { icon: 'hand-coins', isBetweenAccounts: true } },
    rt_collection: { part: 'rewards', name: m.rich_entry_rt_collection, activity: { icon: 'coins' } },
  },
  notices: {
    upgrade_requested: ({ name, star }, time) => ({
      icon: 'users',
      title: m.rich_notice_upgrade_requested({ name, star }),
      detail: m.rich_notice_upgrade_requested_detail({ time }),
    }),
    upgrade_passed: ({ star }, time) => ({
      icon: 'circle-check',
      title: m.rich_notice_upgrade_passed({ star }),
      detail: m.rich_notice_upgrade_passed_detail({ time }),
    }),
  },
} as const satisfies FeatureWords
