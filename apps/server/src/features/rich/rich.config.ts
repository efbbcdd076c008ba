import { HOUR_MS } from '@clearwell/rules/spans'
import * as z from 'zod/mini'
import { defineConfig, type ValuesOf } from '../../config/config-part.ts'
import { amount, bps, configUnits, refuseZero } from '../../config/fields.ts'
import { withDefaults } from '../../config/with-defaults.ts'

export const richConfig = defineConfig({
  shape: {
    rich: withDefaults(
      z.strictObject({
        releaseBps: bps.check(
          z.describe('the part of the remaining balance of `rt_program` that is released each day at most'),
        ),
        maxPerWeight: amount.check(
          z.describe(
            'the most RT that a unit of star weight earns a day; star 1 has one unit, each level above twice as many',
          ),
        ),
        firstDeposit: amount.check(
          z.describe('the deposit of star level 1, in RT; each level above needs twice as much'),
        ),
        approvalHours: z
          .int()
          .check(z.gte(1), z.lte(720), z.describe('hours before a request without a response passes')),
        noticeDays: z
          .int()
          .check(z.gte(1), z.lte(90), z.describe('days between stepping down and the return of the deposit')),
      }),
      { releaseBps: 5, maxPerWeight: '0.1', firstDeposit: '100', approvalHours: 72, noticeDays: 7 },
    ),
  },
  check({ rich }, fail) {
    refuseZero('rich.firstDeposit', rich.firstDeposit, fail)
    refuseZero('rich.maxPerWeight', rich.maxPerWeight, fail)
  },
})

/** The rules of the upgrade hub as the commands take them. */
export interface RichRules {
  readonly releaseBps: bigint
  /** The most that a unit of weight earns a day, in base units. */
  readonly maxPerWeight: bigint
  /** Deposit of star level 1, in base units. */
  readonly firstDeposit: bigint
  readonly approvalMs: number
  readonly noticeMs: number
}

export function richRules({ rich }: ValuesOf<typeof richConfig.shape>): RichRules {
  return {
    releaseBps: BigInt(rich.releaseBps),
    maxPerWeight: configUnits(rich.maxPerWeight, 'RT'),
    firstDeposit: configUnits(rich.firstDeposit, 'RT'),
    approvalMs: rich.approvalHours * HOUR_MS,
    noticeMs: rich.noticeDays * 24 * HOUR_MS,
  }
}
