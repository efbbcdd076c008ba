import { planRoutes } from '@clearwell/api/plan.routes'
import { readBalances } from '@clearwell/ledger/read-balances'
import type { AssetId } from '@clearwell/money/asset'
import { plannedSwaps } from '../../domain/pools/planned-swaps.ts'
import { type SwapPool, swaps as swapsPort } from '../../domain/pools/swaps.ts'
import { defineFeature } from '../../platform/feature.ts'
import { poolAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { endAllPlans } from './end-plans.ts'
import { createLimitTriggers } from './limit-triggers.ts'
import { localStops } from './local-stops.ts'
import { planConfig, planRules, publishPlanRules } from './plan.config.ts'
import { planHandlers } from './plan.handlers.ts'
import { createPlanStore } from './plan.store.ts'
import { PLAN_TABLES } from './plan.tables.ts'
import { PLAN_TIMELINE } from './plan.timeline.ts'
import { planDrains } from './plan-drains.ts'
import { runLimit } from './run-limit.ts'

export const planFeature = defineFeature({
  name: 'plan',
  about: { en: 'Planned swaps: limits and schedules', 'zh-HK': '計劃閃兌：限價及定期' },
  routes: planRoutes,
  config: planConfig,
  publishes: publishPlanRules,
  tables: PLAN_TABLES,
  timeline: PLAN_TIMELINE,
  notices: ['plan_made', 'plan_skipped', 'plan_paused', 'plan_ended'],
  open({ config, use, db, writer, clock, onError }) {
    const swaps = use(swapsPort)
    const store = createPlanStore(db)
    const rules = planRules(config)
    const pools = () => swaps().pools()
    function findPool(poolId: string): SwapPool {
      const pool = pools().find(({ id }) => id === poolId)
      if (!pool) throw refusal('not_found')
      return pool
    }
    function reserves({ id, base, quote }: SwapPool) {
      const [baseUnits, quoteUnits] = [base, quote].map((asset) => writer.committedBalance(poolAccount(id), asset))
      return baseUnits === undefined || quoteUnits === undefined ? undefined : { base: baseUnits, quote: quoteUnits }
    }
    const triggers = createLimitTriggers({
      store,
      pools,
      reserves,
      async readReserves({ id, base, quote }) {
        const rows = await readBalances(db, [poolAccount(id)])
        const units = (of: AssetId) => rows.find(({ asset }) => asset === of)?.units ?? 0n
        return { base: units(base), quote: units(quote) }
      },
      run: (pool, due) => writer.executeFirst(due.map((each) => runLimit({ swaps: swaps(), pool }, each))),
      isLeader: () => writer.isWriting,
      onError: (error) => onError(error, 'limits'),
    })
    writer.onCommitted(triggers.check)
    let ledSince: Date | undefined
    const leadsSince = () => ledSince
    const deps = { store, writer, clock, swaps, rules, findPool, triggers, reserves, leadsSince }
    return {
      handlers: planHandlers(deps),
      outcomes: {
        createPlan: { kind: 'create_plan' },
        pausePlan: { kind: 'pause_plan' },
        resumePlan: { kind: 'resume_plan' },
        cancelPlan: { kind: 'cancel_plan' },
      },
      provides: [
        plannedSwaps.by({
          endAll: (userId, reason) => endAllPlans({ store, writer, findPool }, { userId, reason }),
        }),
      ],
      jobs: planDrains(deps),
      local: { stopsBetween: localStops(store) },
      onLeader() {
        ledSince = clock.now()
        return triggers.reloadAll()
      },
    }
  },
})
