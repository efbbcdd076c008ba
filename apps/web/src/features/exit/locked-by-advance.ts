import type { ResponseOf } from '@clearwell/api/routes'
import type { AssetId } from '@clearwell/money/asset'
import type { Exit } from './exit.queries.ts'

/** RT has no price, so it never gives an advance back. */
const GIVES_NOTHING_BACK: AssetId = 'RT'

/**
 * The available balance that an account cannot use while it owes an advance: all of it, as long as some can be taken for the advance. The
 * server rejects every command meanwhile. An open exit locks the account anyway, and says so elsewhere.
 */
export function lockedByAdvance(
  { state, owed }: Pick<Exit, 'state' | 'owed'>,
  balances: ResponseOf<'balances'>,
): { readonly asset: AssetId; readonly amount: string }[] {
  if (state !== 'none' || owed.length === 0) return []
  const held = balances.filter(({ available }) => /[1-9]/.test(available))
  if (held.every(({ asset }) => asset === GIVES_NOTHING_BACK)) return []
  return held.map(({ asset, available }) => ({ asset, amount: available }))
}
