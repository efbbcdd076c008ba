import { createContext, type ReactNode, type RefObject, useRef } from 'react'

/** True if the heading of the screen before had the focus when it went. */
export const HeadingFocus = createContext<RefObject<boolean> | undefined>(undefined)

/** The place where one screen follows another. Apart from `Screen`, so that the frame loads without it. */
export function ScreenPlace({ children }: { children: ReactNode }) {
  const hadFocus = useRef(false)
  return <HeadingFocus value={hadFocus}>{children}</HeadingFocus>
}
