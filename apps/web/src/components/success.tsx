import type { ReactNode } from 'react'
import { ProofSeal } from './brand-mark.tsx'
import { Ripples } from './ripples.tsx'

/**
 * The moment after something succeeded: the mark with a tick over the water, with a ring that runs outwards once. It names
 * the outcome, such as "500 USDT arrived", and offers the next step.
 */
export function Success({
  title,
  text,
  children,
}: {
  title: ReactNode
  text?: ReactNode
  /** The next step, and what else one may do. */
  children?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-6 text-center text-balance">
      <Ripples spreads>
        <ProofSeal className="size-16" />
      </Ripples>
      <p className="text-screen [overflow-wrap:anywhere]">{title}</p>
      {text && <p className="text-muted">{text}</p>}
      {children && <div className="mt-4 flex w-full flex-col gap-2">{children}</div>}
    </div>
  )
}
