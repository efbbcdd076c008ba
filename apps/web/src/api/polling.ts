/**
 * How often the screens ask again (specification §9). A poll stops while the page is hidden and resumes at once when it
 * is seen again: see query-client.ts.
 */

/** Whether the account is activated, until it is. */
export const ACTIVE_STATUS_POLL_MS = 4_000

export const PAIRS_POLL_MS = 3_000
/** The quotes in sight are asked for this long after the pairs have come. */
export const QUOTE_AFTER_PAIRS_MS = 500

/** The spot price on a market's screen. */
export const TICKER_POLL_MS = 1_500
