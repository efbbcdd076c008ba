import { defineFeature } from '../../platform/feature.ts'
import { exitEvents } from './exit.events.ts'
import { exitMetrics } from './exit.metrics.ts'
import { rootTransactions } from './exit.tables.ts'
import { postRoots } from './post-roots.ts'

/** Leaving without the operator. Without a vault with exits it does nothing. */
export const exitFeature = defineFeature({
  name: 'exit',
  about: { en: 'Leaving without the operator', 'zh-HK': '毋須經營運方退出' },
  routes: {},
  tables: [rootTransactions],
  metrics: exitMetrics,
  events: exitEvents,
  open(platform) {
    const recorder = platform.metrics.add(exitMetrics)
    const hasExits = platform.config.env.vaultKind === 'exits'
    return { handlers: {}, jobs: hasExits ? [postRoots(platform, recorder)] : [] }
  },
})
