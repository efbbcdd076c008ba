import { maxUnits, minUnits } from '@clearwell/money/min-max'
import fc from 'fast-check'
import type { PoolReserves, SwapDirection, SwapFees } from '../swap.ts'

export const DIRECTIONS: readonly SwapDirection[] = ['base_to_quote', 'quote_to_base']

/** Builds reserves from the sides of a swap. */
export function poolOf(reserveIn: bigint, reserveOut: bigint, direction: SwapDirection): PoolReserves {
  return direction === 'base_to_quote' ? { base: reserveIn, quote: reserveOut } : { base: reserveOut, quote: reserveIn }
}

/** From dust to far beyond any supply, so that tests cover rounding and proportion. */
export const anyUnits: fc.Arbitrary<bigint> = fc
  .tuple(fc.bigInt({ min: 1n, max: 9_999n }), fc.integer({ min: 0, max: 26 }), fc.bigInt({ min: 0n, max: 10n ** 26n }))
  .map(([lead, zeros, noise]) => lead * 10n ** BigInt(zeros) + (noise % 10n ** BigInt(zeros)))

/** The product's default fees half of the time, otherwise any valid fees. */
export const anyFees: fc.Arbitrary<SwapFees> = fc.oneof(
  fc.constant({ totalBps: 25n, revenueBps: 8n }),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 9_999n }), fc.bigInt({ min: 0n, max: 9_999n }))
    .map(([a, b]) => ({ totalBps: maxUnits(a, b), revenueBps: minUnits(a, b) })),
)

/** A pool, as sides and as reserves, with an amount to sell and one to buy. */
export interface AnySwap {
  readonly reserveIn: bigint
  readonly reserveOut: bigint
  readonly reserves: PoolReserves
  readonly direction: SwapDirection
  readonly fees: SwapFees
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** Half of the amounts are a share of the pool, where its curve bends; half are independent of it. */
export const anySwap: fc.Arbitrary<AnySwap> = fc
  .record({
    reserveIn: anyUnits,
    reserveOut: anyUnits,
    direction: fc.constantFrom(...DIRECTIONS),
    fees: anyFees,
    areShares: fc.boolean(),
    soldBps: fc.bigInt({ min: 0n, max: 30_000n }),
    boughtBps: fc.bigInt({ min: 0n, max: 10_000n }),
    sold: anyUnits,
    bought: anyUnits,
  })
  .map(({ reserveIn, reserveOut, direction, fees, areShares, soldBps, boughtBps, sold, bought }) => ({
    reserveIn,
    reserveOut,
    reserves: poolOf(reserveIn, reserveOut, direction),
    direction,
    fees,
    amountIn: areShares ? (reserveIn * soldBps) / 10_000n + 1n : sold,
    amountOut: areShares ? (reserveOut * boughtBps) / 10_000n + 1n : bought,
  }))
