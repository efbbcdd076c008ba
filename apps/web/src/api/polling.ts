/** How often screens poll (specification §9). A poll stops while the page is hidden and resumes when it is seen again. */

/** The active status, until the account is activated. */
export const ACTIVE_STATUS_POLL_MS = 4_000
export const BALANCES_POLL_MS = 5_000
export const PAIRS_POLL_MS = 3_000
/** Screens request the quotes in view this long after the pairs have arrived. */
export const QUOTE_AFTER_PAIRS_MS = 500
/** The spot price on a market's screen. */
export const TICKER_POLL_MS = 1_500
/** The published roots of the blind boxes, where a screen shows boxes. */
export const ROOTS_POLL_MS = 10_000
