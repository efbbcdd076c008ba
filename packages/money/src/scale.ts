/** One, in fixed point with 18 decimals. */
export const E18 = 1_000_000_000_000_000_000n
/** One, in basis points. */
export const BPS = 10_000n
