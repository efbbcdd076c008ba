import { createContext, type ReactNode, use } from 'react'
import { useHiddenAmounts } from '../browser/hidden-amounts.ts'

const Shown = createContext(false)

/** Shows its amounts also while the user's own are hidden: public figures, and the act that the user is about to confirm. */
export function ShownAmounts({ children }: { children: ReactNode }) {
  return <Shown value={true}>{children}</Shown>
}

/** Returns whether an amount here is hidden. */
export function useIsHidden(): boolean {
  const isShown = use(Shown)
  return useHiddenAmounts().hidden && !isShown
}
