import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitRevenue } from './revenue-split.ts'
import { type PoolReserves, quoteExactIn, quoteExactOut, type SwapDirection, type SwapQuote } from './swap.ts'
import { DIRECTIONS } from './testing/swaps.ts'

const E18 = 10n ** 18n
const FEES = { totalBps: 25n, revenueBps: 8n }
const SHARES = { rewards: 5_000n, referral: 2_000n, insurance: 1_000n, treasury: 2_000n }

/** The pool, and the difference that swaps made to two accounts of one person: the trader and its inviter. */
interface Books {
  readonly reserves: PoolReserves
  readonly base: bigint
  readonly quote: bigint
}

/** Books a swap of the trader together with the inviter's share of its fee, in the asset sold. */
function book({ base, quote }: Books, direction: SwapDirection, swap: SwapQuote): Books {
  const { referral } = splitRevenue(swap.revenue, SHARES)
  const sold = referral - swap.amountIn
  return direction === 'base_to_quote'
    ? { reserves: swap.reservesAfter, base: base + sold, quote: quote + swap.amountOut }
    : { reserves: swap.reservesAfter, base: base + swap.amountOut, quote: quote + sold }
}

/** Trades the difference of the base asset away, so that the quote asset alone shows gain or loss. */
function close(books: Books): Books {
  const { reserves, base } = books
  if (base === 0n) return books
  const direction = base > 0n ? 'base_to_quote' : 'quote_to_base'
  const swap =
    base > 0n
      ? quoteExactIn({ reserves, direction, amountIn: base, fees: FEES })
      : quoteExactOut({ reserves, direction, amountOut: -base, fees: FEES })
  return swap ? book(books, direction, swap) : books
}

const pools = fc.record({
  base: fc.bigInt({ min: 100n * E18, max: 1_000_000n * E18 }),
  quote: fc.bigInt({ min: 100n * E18, max: 1_000_000_000n * E18 }),
})
const trades = fc.array(
  fc.record({ direction: fc.constantFrom(...DIRECTIONS), bps: fc.bigInt({ min: 1n, max: 5_000n }) }),
  { minLength: 1, maxLength: 30 },
)

test('trading between own accounts for referral shares loses money', () => {
  fc.assert(
    fc.property(pools, trades, (reserves, each) => {
      let books: Books = { reserves, base: 0n, quote: 0n }
      for (const { direction, bps } of each) {
        const side = direction === 'base_to_quote' ? books.reserves.base : books.reserves.quote
        const swap = quoteExactIn({
          reserves: books.reserves,
          direction,
          amountIn: (side * bps) / 10_000n,
          fees: FEES,
        })
        if (swap) books = book(books, direction, swap)
      }
      // Closing pays a share too: a rest of the base asset, valued at the price where the pool ends.
      const { base, quote, reserves: end } = close(books)
      expect(quote + (base * end.quote) / end.base).toBeLessThan(0n)
    }),
    { numRuns: 500 },
  )
})

test('a share never exceeds 1.6 of 10,000 parts of the amount sold', () => {
  fc.assert(
    fc.property(pools, fc.bigInt({ min: 1n, max: 10_000n * E18 }), (reserves, amountIn) => {
      const swap = quoteExactIn({ reserves, direction: 'base_to_quote', amountIn, fees: FEES })
      const { referral } = splitRevenue(swap?.revenue ?? 0n, SHARES)
      expect(referral * 100_000n).toBeLessThanOrEqual(amountIn * 16n)
    }),
  )
})
