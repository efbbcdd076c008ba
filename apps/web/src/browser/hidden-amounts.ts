import { useStore } from '@clearwell/ui/browser/store.ts'
import { stored } from '@clearwell/ui/browser/stored.ts'

/** True if amounts are hidden from people nearby: one choice for every screen of the wallet. */
const hiddenStore = stored<boolean>({
  key: 'clearwell.hidden',
  scope: 'device',
  schema: (value) => (typeof value === 'boolean' ? value : undefined),
})

export function useHiddenAmounts(): { hidden: boolean; toggle: () => void } {
  const hidden = useStore(hiddenStore) ?? false
  return { hidden, toggle: () => hiddenStore.set(!hidden) }
}

export const HIDDEN_TEXT = '••••••'
