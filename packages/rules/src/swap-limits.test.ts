import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxAmountIn, minAmountOut, slippageE18 } from './swap.ts'
import { anyUnits } from './testing/swaps.ts'

const runs = { numRuns: 1_000 }
const E18 = 10n ** 18n
const BPS = 10_000n

describe('limits for any amount', () => {
  const anySlippage = fc.bigInt({ min: 0n, max: 10_000n })

  test('limits are the last units within the slippage', () => {
    fc.assert(
      fc.property(anyUnits, anySlippage, (amount, slippageBps) => {
        const least = minAmountOut(amount, slippageBps)
        expect(least).toBeLessThanOrEqual(amount)
        expect(least * BPS).toBeGreaterThanOrEqual(amount * (BPS - slippageBps))
        expect((least - 1n) * BPS).toBeLessThan(amount * (BPS - slippageBps))
        const most = maxAmountIn(amount, slippageBps)
        expect(most).toBeGreaterThanOrEqual(amount)
        expect(most * BPS).toBeLessThanOrEqual(amount * (BPS + slippageBps))
        expect((most + 1n) * BPS).toBeGreaterThan(amount * (BPS + slippageBps))
      }),
      runs,
    )
  })

  test('a swap at its limit stays within the agreed slippage', () => {
    fc.assert(
      fc.property(anyUnits, anySlippage, (quoted, slippageBps) => {
        const agreed = -(slippageBps * E18) / BPS
        const least = minAmountOut(quoted, slippageBps)
        const most = maxAmountIn(quoted, slippageBps)
        expect(slippageE18({ exact: 'in', quoted, executed: least })).toBeGreaterThanOrEqual(agreed)
        expect(slippageE18({ exact: 'out', quoted, executed: most })).toBeGreaterThanOrEqual(agreed)
        // One unit beyond it, and it slipped by more.
        if (least > 0n) {
          expect(slippageE18({ exact: 'in', quoted, executed: least - 1n })).toBeLessThan(agreed)
        }
        expect(slippageE18({ exact: 'out', quoted, executed: most + 1n })).toBeLessThan(agreed)
      }),
      runs,
    )
  })

  test("slippage has the sign of the trader's gain and never looks better", () => {
    fc.assert(
      fc.property(anyUnits, anyUnits, (quoted, executed) => {
        const shown = slippageE18({ exact: 'in', quoted, executed })
        expect(shown * quoted).toBeLessThanOrEqual((executed - quoted) * E18)
        expect((shown + 1n) * quoted).toBeGreaterThan((executed - quoted) * E18)
        const mirrored = slippageE18({ exact: 'out', quoted, executed })
        expect(mirrored * quoted).toBeLessThanOrEqual((quoted - executed) * E18)
        expect((mirrored + 1n) * quoted).toBeGreaterThan((quoted - executed) * E18)
      }),
      runs,
    )
  })
})
