import type { FeatureConfig } from '@clearwell/api/config.routes'
import { formatUnits } from '@clearwell/money/decimal'
import * as z from 'zod/mini'
import { defineConfig, type ValuesOf } from '../../config/config-part.ts'
import { amount, configUnits, refuseZero } from '../../config/fields.ts'
import { withDefaults } from '../../config/with-defaults.ts'

const slippageBps = z.int().check(z.gte(1), z.lte(1_000), z.meta({ title: 'basis points, 1 to 1000' }))
const count = z.int().check(z.gte(1), z.lte(1_000))

const plan = z.strictObject({
  maxOpen: count.check(z.describe('how many planned swaps an account may have that are active or paused')),
  leastUsdt: amount.check(z.describe('the least worth of a run in USDT, by the USDT side, when it is planned')),
  slippageBps: slippageBps.check(z.describe('the slippage of a schedule whose owner chose none')),
  maxSlippageBps: slippageBps.check(z.describe('the largest slippage that an owner may choose')),
  maxSkipped: count.check(z.describe('a schedule pauses after this many skipped runs in a row')),
  limitDays: count.check(z.describe('how many days ahead a limit may end')),
})

export const planConfig = defineConfig({
  shape: {
    plan: withDefaults(plan, {
      maxOpen: 50,
      leastUsdt: '10',
      slippageBps: 50,
      maxSlippageBps: 300,
      maxSkipped: 3,
      limitDays: 365,
    }),
  },
  check({ plan }, fail) {
    refuseZero('plan.leastUsdt', plan.leastUsdt, fail)
    if (plan.slippageBps > plan.maxSlippageBps) fail('plan.slippageBps must not be above plan.maxSlippageBps')
  },
})

/** The numbers of planned swaps. */
export interface PlanRules {
  readonly maxOpen: number
  /** In base units of USDT. */
  readonly leastUsdt: bigint
  readonly slippageBps: number
  readonly maxSlippageBps: number
  readonly maxSkipped: number
  readonly limitDays: number
}

/** The part of `GET /config` with the rules of planned swaps. */
export function publishPlanRules({ plan }: ValuesOf<typeof planConfig.shape>): Pick<FeatureConfig, 'plans'> {
  const fraction = (bps: number) => formatUnits(BigInt(bps), 4)
  return {
    plans: {
      least_usdt: plan.leastUsdt,
      max_open: plan.maxOpen,
      slippage: fraction(plan.slippageBps),
      max_slippage: fraction(plan.maxSlippageBps),
      max_skipped: plan.maxSkipped,
      limit_days: plan.limitDays,
    },
  }
}

export function planRules({ plan }: ValuesOf<typeof planConfig.shape>): PlanRules {
  return { ...plan, leastUsdt: configUnits(plan.leastUsdt, 'USDT') }
}
