import { ASSET_IDS } from '@clearwell/money/asset'
import { useStore } from './store.ts'
import { stored } from './stored.ts'

/**
 * True if the user's own amounts are hidden from people nearby: one choice for every screen. Public figures stay, and so do
 * the amounts of an act that the user is about to confirm.
 */
export const hiddenAmountsStore = stored<boolean>({
  key: 'clearwell.hidden',
  scope: 'device',
  schema: (value) => (typeof value === 'boolean' ? value : undefined),
})

export const HIDDEN_TEXT = '••••••'

/** An amount in a sentence: its sign and figure, before the name of an asset. */
const AMOUNT_IN_TEXT = new RegExp(`[+−<]?\\d[\\d,]*(\\.\\d+)?(?=[\\s\\u00a0]?(${ASSET_IDS.join('|')})\\b)`, 'g')

export function useHiddenAmounts(): {
  readonly hidden: boolean
  readonly toggle: () => void
  /** Replaces each amount in a text while amounts are hidden. */
  readonly hide: (text: string) => string
} {
  const hidden = useStore(hiddenAmountsStore) ?? false
  return {
    hidden,
    toggle: () => hiddenAmountsStore.set(!hidden),
    hide: (text) => (hidden ? text.replaceAll(AMOUNT_IN_TEXT, HIDDEN_TEXT) : text),
  }
}
