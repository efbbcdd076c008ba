import type { ShownTransfer } from '../features/wallet/send-transaction-screen.tsx'

/**
 * Readers of queries: each returns the valid part of the query of a screen's path. The route tree imports them, so their
 * code comes with home's. A feature's longer readers are beside its screens.
 */

/** `?pair=ETHUSDT` selects a pair; without it the first one is selected. */
export function readPair({ pair }: Record<string, unknown>): { pair?: string } {
  return typeof pair === 'string' ? { pair } : {}
}

/** `?section=swap` scrolls to a section, so that a link to it can be shared. */
export function readSection({ section }: Record<string, unknown>): { section?: string } {
  return typeof section === 'string' ? { section } : {}
}

/** `?order=…` shows a transfer in, with `&way=out` a transfer out. */
export function readShown({ order, way }: Record<string, unknown>): ShownTransfer {
  return {
    ...(typeof order === 'string' ? { order } : {}),
    ...(way === 'out' ? { way } : {}),
  }
}
