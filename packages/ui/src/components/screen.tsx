import { type ReactNode, use, useLayoutEffect, useRef } from 'react'
import { ScreenContent } from './pending.tsx'
import { HeadingFocus } from './screen-place.tsx'

/** A screen: its title, its content, and its one main action at thumb reach, above the tabs. */
export function Screen({
  title,
  aside,
  action,
  children,
}: {
  title: string
  /** Beside the title: a badge, a refresh control. */
  aside?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  const heading = useKeptFocus()
  return (
    <>
      <div className="screen-content flex flex-1 flex-col gap-4 px-4 pt-2 pb-6 short:gap-3 short:pt-0">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
          <h1 ref={heading} className="min-w-0 text-screen [overflow-wrap:anywhere]">
            {title}
          </h1>
          <ScreenContent>{aside}</ScreenContent>
        </div>
        <ScreenContent>{children}</ScreenContent>
      </div>
      {action && (
        <div className="screen-action sticky above-tabs z-10 max-magnified:static flex flex-col bg-linear-to-t from-ground from-70% to-transparent px-4 pt-6 pb-3 short:pt-3">
          <ScreenContent>{action}</ScreenContent>
        </div>
      )}
    </>
  )
}

/**
 * A part of a screen, beside another one on a wide window: a screen with two parts has two columns there. In narrower
 * windows its content lies in the screen as if it were not wrapped.
 */
export function ScreenPart({ children }: { children: ReactNode }) {
  return <div className="screen-part">{children}</div>
}

/** The words where a screen of cards has none: it stays as wide as with cards on a wide window, so the panel keeps its place. */
export function NoCards({ children }: { children: ReactNode }) {
  return (
    <div className="screen-cards">
      <div className="col-span-full">{children}</div>
    </div>
  )
}

/** A screen that replaces its placeholder has another heading. It takes the focus over, which would go to the page. */
function useKeptFocus() {
  const hadFocus = use(HeadingFocus)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const own = heading.current
    if (hadFocus?.current && own) {
      own.tabIndex = -1
      own.focus({ preventScroll: true })
    }
    return () => {
      if (hadFocus) hadFocus.current = document.activeElement === own
    }
  }, [hadFocus])
  return heading
}
