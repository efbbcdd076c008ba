import { plannedSwaps } from '../../domain/pools/planned-swaps.ts'
import { readExitAt } from '../../platform/chain/exit-vault.ts'
import { cursorFollowers } from '../../platform/custody/cursor-followers.ts'
import { defineFeature } from '../../platform/feature.ts'
import { defineDrain } from '../../platform/jobs/drain.ts'
import type { Platform } from '../../platform/platform.ts'
import { exitEvents } from './exit.events.ts'
import { exitMetrics } from './exit.metrics.ts'
import { createExitStore } from './exit.store.ts'
import { exitPayments, rootTransactions } from './exit.tables.ts'
import { EXIT_TIMELINE } from './exit.timeline.ts'
import { createExitFollower } from './exit-follower.ts'
import { postRoots } from './post-roots.ts'
import { createReminder } from './remind.ts'
import { watchTip } from './watch-tip.ts'

/** An account is locked within seconds of its request. */
const EVERY_MS = 1_000

/** Leaving without the operator. Without a vault with exits it does nothing. */
export const exitFeature = defineFeature({
  name: 'exit',
  about: { en: 'Leaving without the operator', 'zh-HK': '毋須經營運方退出' },
  routes: {},
  tables: [rootTransactions, exitPayments],
  timeline: EXIT_TIMELINE,
  logKinds: ['exit'],
  metrics: exitMetrics,
  events: exitEvents,
  open(platform) {
    const recorder = platform.metrics.add(exitMetrics)
    if (platform.config.env.vaultKind !== 'exits') return { handlers: {} }
    const { follower, tip } = followExits(platform)
    const watch = defineDrain({ name: 'exit.watch-tip', everyMs: EVERY_MS, drain: tip.look })
    return {
      handlers: {},
      provides: [cursorFollowers.by(follower)],
      jobs: [watch, postRoots(platform, recorder)],
      onLeader: async () => tip.forget(),
    }
  },
})

function followExits(platform: Platform) {
  const { chain, client, clock, custody, db, onError, use } = platform
  const store = createExitStore(db)
  return {
    follower: createExitFollower({ chain, custody, store }),
    tip: watchTip({
      ...platform,
      store,
      plans: use(plannedSwaps),
      exitAt: (of) => readExitAt(client, custody.vault, of),
      remind: createReminder(clock, onError, 'withdrawals'),
    }),
  }
}
