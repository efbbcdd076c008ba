import { type ReactNode, useRef } from 'react'
import { ProofSeal } from './brand-mark.tsx'
import { Ripples } from './ripples.tsx'

/**
 * The moment after something succeeded: the mark with a tick over the water, with a ring that runs outwards once. It names
 * the outcome, such as "500 USDT arrived", and offers the next step.
 *
 * @param isNew `false` for something that ended before the screen opened: the ring does not run again.
 */
export function Success({
  title,
  text,
  isNew = true,
  children,
}: {
  title: ReactNode
  text?: ReactNode
  isNew?: boolean
  /** The next step, and what else one may do. */
  children?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-6 text-center text-phrases">
      <Ripples spreads={isNew}>
        <ProofSeal className="size-16" />
      </Ripples>
      <p className="text-screen [overflow-wrap:anywhere]">{title}</p>
      {text && <p className="text-muted">{text}</p>}
      {children && <div className="mt-4 flex w-full flex-col gap-2">{children}</div>}
    </div>
  )
}

/** Returns whether something ended while the screen was open, and not before. */
export function useJustEnded(hasEnded: boolean): boolean {
  const wasOpen = useRef(!hasEnded)
  return hasEnded && wasOpen.current
}
