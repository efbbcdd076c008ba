import { createStore, useStore } from './store.ts'

const KEY = 'clearwell.hidden'

/** True if amounts are hidden from people nearby: one choice for every screen of the wallet. */
const hiddenStore = createStore(typeof localStorage !== 'undefined' && localStorage.getItem(KEY) === '1')

export function useHiddenAmounts(): { hidden: boolean; toggle: () => void } {
  const hidden = useStore(hiddenStore)
  const toggle = () => {
    localStorage.setItem(KEY, hidden ? '0' : '1')
    hiddenStore.set(!hidden)
  }
  return { hidden, toggle }
}

export const HIDDEN_TEXT = '••••••'
