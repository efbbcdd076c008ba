import { richRoutes } from '@clearwell/api/rich.routes'
import { defineFeature } from '../../platform/feature.ts'
import { findHubFaults } from './check-hub.ts'
import { releaseDaily } from './release-job.ts'
import { releaseUid } from './release-uid.ts'
import { richConfig, richRules } from './rich.config.ts'
import { richHandlers } from './rich.handlers.ts'
import { createRichStore } from './rich.store.ts'
import { RICH_TABLES } from './rich.tables.ts'
import { RICH_TIMELINE } from './rich.timeline.ts'
import { richDrains } from './rich-drains.ts'

export const richFeature = defineFeature({
  name: 'rich',
  about: { en: 'Upgrade hub (RT)', 'zh-HK': '共贏升級（RT）' },
  routes: richRoutes,
  config: richConfig,
  tables: RICH_TABLES,
  timeline: RICH_TIMELINE,
  logKinds: ['rt_deposit', 'rt_deposit_return', 'rt_take_back', 'rt_collection'],
  notices: ['upgrade_requested', 'upgrade_passed'],
  operatorActions: [releaseUid],
  audits: [findHubFaults],
  open({ config, db, writer, clock, notices }) {
    const rules = richRules(config)
    const store = createRichStore(db)
    return {
      handlers: richHandlers({ store, writer, clock, rules }),
      outcomes: {
        linkUid: { kind: 'link_uid' },
        renameUid: { kind: 'rename_uid' },
        depositRt: { kind: 'deposit_rt' },
        collectRt: { kind: 'collect_rt' },
        takeBackRt: { kind: 'take_back_rt' },
        stepDown: { kind: 'step_down' },
        requestUpgrade: { kind: 'request_upgrade' },
        approveUpgrade: { kind: 'approve_upgrade' },
      },
      jobs: [releaseDaily(rules, writer), ...richDrains({ db, store, writer, clock, notices, rules })],
    }
  },
})
