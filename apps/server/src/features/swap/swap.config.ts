import * as z from 'zod/mini'
import { defineConfig, type ValuesOf } from '../../config/config-part.ts'
import { amount, asset, bps, durationMs, limitBps, refuseZero } from '../../config/fields.ts'
import { withDefaults } from '../../config/with-defaults.ts'

const breaker = z.strictObject({
  spotDeviationBps: limitBps.check(z.describe('how far a swap may leave a pool from its spot price')),
  hourMoveBps: limitBps.check(
    z.describe(
      'how far a swap may leave a pool from every price of its last hour, where it has no spot price that two sources confirm',
    ),
  ),
  checkMs: durationMs.check(z.describe('how often the pools are checked')),
})

const pool = z.strictObject({
  id: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)),
  base: asset,
  quote: asset,
  initialBase: amount.check(z.describe('the initial liquidity, which the operator deposits')),
  initialQuote: amount.check(z.describe('the initial liquidity in the other asset')),
})

export const swapConfig = defineConfig({
  shape: {
    swap: z.strictObject({
      feeBps: bps.check(z.describe('the whole fee')),
      revenueBps: bps.check(z.describe('the part of the fee that is revenue; the rest stays in the pool')),
      quoteTtlMs: durationMs.check(z.describe('how long a quote is shown as good')),
      breaker: withDefaults(breaker, { spotDeviationBps: 1_000, hourMoveBps: 3_000, checkMs: 1_000 }).check(
        z.describe('which swaps [a pool rejects](../recipes/suspend-a-pool.md)'),
      ),
      pools: z.array(pool).check(z.minLength(1), z.describe('the first one is the default pair')),
    }),
  },
  check({ swap }, fail) {
    swap.pools.forEach(({ base, quote, initialBase, initialQuote }, index) => {
      if (base === quote) fail(`swap.pools.${index} has the same asset twice`)
      refuseZero(`swap.pools.${index}.initialBase`, initialBase, fail)
      refuseZero(`swap.pools.${index}.initialQuote`, initialQuote, fail)
    })
    if (swap.revenueBps > swap.feeBps) fail('swap.revenueBps must not be above swap.feeBps')
    if (new Set(swap.pools.map(({ id }) => id)).size !== swap.pools.length) fail('swap.pools has an id twice')
  },
})

/** How far a swap may leave a pool from its reference price. */
export function poolLimits({ swap: { breaker } }: ValuesOf<typeof swapConfig.shape>) {
  return {
    spotDeviationBps: BigInt(breaker.spotDeviationBps),
    hourMoveBps: BigInt(breaker.hourMoveBps),
  }
}
