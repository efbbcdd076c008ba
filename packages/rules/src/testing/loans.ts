import fc from 'fast-check'
import type { LoanPrices, LtvLimits } from '../loan.ts'

export const E18 = 10n ** 18n

export const LIMITS: LtvLimits = { initialBps: 6_500n, warningBps: 7_500n, liquidationBps: 8_300n }

/** Base units from a single one to a billion tokens, small and large equally often. */
export const anyAmount = fc
  .tuple(fc.integer({ min: 0, max: 27 }), fc.bigInt({ min: 1n, max: 10n ** 27n }))
  .map(([digits, amount]) => (amount % 10n ** BigInt(digits)) + 1n)

/** Up to a year, in seconds. */
export const anySeconds = fc.bigInt({ min: 0n, max: 31_536_000n })

/** Prices from a millionth to a million, at 18 decimals. */
const anyPrice = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.bigInt({ min: 1n, max: 10n ** 24n }))
  .map(([digits, price]) => 10n ** 12n + (price % 10n ** BigInt(12 + digits)))

export const anyPrices: fc.Arbitrary<LoanPrices> = fc.record({ collateral: anyPrice, borrowed: anyPrice })
