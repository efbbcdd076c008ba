import { Drawer } from '@base-ui/react/drawer'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { cx } from '../browser/cx.ts'
import { openSheetEntry } from '../browser/sheet-history.ts'
import { m } from '../generated/messages.ts'
import { Icon } from '../icons/icon.tsx'
import { popupLayer } from './popup-layer.ts'
import { slideOut } from './slide-out.ts'
import { messageStore } from './toast-store.ts'

interface SheetProps {
  readonly title: string
  readonly text?: ReactNode
  readonly children: ReactNode
  readonly onClose: () => void
  /** While something is in progress the sheet stays: neither Escape, a swipe nor a press outside closes it. */
  readonly locked?: boolean
  /** `bottom` rises from the foot of the column; `side` comes in from its start. */
  readonly from?: 'bottom' | 'side'
  /** Beside the button that closes the sheet. */
  readonly action?: ReactNode
}

/**
 * A sheet over the column. Mounted is open: render it while it applies, lazily loaded (`lazySheet(() => import(…))`), so
 * that its code waits until someone opens it. It is an entry of the history: Back closes it.
 */
export function Sheet({ title, text, children, onClose, locked = false, from = 'bottom', action }: SheetProps) {
  const bottom = from === 'bottom'
  const opener = useRef(document.activeElement)
  // A message over the sheet is closed first: Escape closes both otherwise.
  const closeTop = useEffectEvent(() => {
    if (messageStore.get() !== undefined) messageStore.set(undefined)
    else if (!locked) onClose()
  })
  useEffect(() => openSheetEntry(closeTop), [])
  const scrim = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => () => slideOut([scrim.current, frame.current]), [])
  return (
    <Drawer.Root
      open
      disablePointerDismissal={locked}
      swipeDirection={bottom ? 'down' : 'left'}
      onOpenChange={(open) => open || locked || messageStore.get() !== undefined || onClose()}
    >
      <Drawer.Portal container={popupLayer()}>
        <Drawer.Backdrop
          ref={scrim}
          className="fixed inset-0 bg-scrim transition-opacity duration-sheet once-drawn data-ending-style:opacity-0 starting:opacity-0"
        />
        <Drawer.Viewport ref={frame} className={cx('column within-edge fixed inset-x-0 flex', bottom && 'items-end')}>
          <Drawer.Popup
            finalFocus={() => returnFocus(opener.current)}
            // By `transform`: while the finger moves the sheet, the library sets that property, and another one would add to it.
            className={cx(
              'flex flex-col bg-surface outline-none transition-transform duration-sheet ease-settle once-drawn data-swiping:duration-0 data-swiping:delay-0',
              bottom
                ? 'max-h-[88dvh] w-full transform-[translateY(var(--drawer-swipe-movement-y))] rounded-t-sheet data-ending-style:transform-[translateY(100%)] starting:transform-[translateY(100%)]'
                : 'h-full w-72 rounded-e-sheet transform-[translateX(var(--drawer-swipe-movement-x))] data-ending-style:transform-[translateX(-100%)] starting:transform-[translateX(-100%)]',
            )}
          >
            <header className="flex items-center justify-between gap-2 ps-4 pe-1 pt-3">
              <Drawer.Title className="flex-1 text-section">{title}</Drawer.Title>
              {action}
              {locked ? (
                <span className="size-11" />
              ) : (
                <Drawer.Close
                  aria-label={m.app_close()}
                  className="inline-flex size-11 items-center justify-center rounded-control text-muted hover:text-text"
                >
                  <Icon name="x" />
                </Drawer.Close>
              )}
            </header>
            {/* The scroller is a block: in WebKit the foot would widen a flex container, which then scrolls sideways. */}
            <Drawer.Content className="min-h-0 scroll-pb-40 overflow-y-auto overscroll-contain px-4 pt-2 pb-sheet">
              <div className="flex flex-col gap-4">
                {text && <Drawer.Description className="text-muted">{text}</Drawer.Description>}
                {children}
              </div>
            </Drawer.Content>
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}

/**
 * The actions at the end of a sheet, always visible above the scrolled content. Its top line shows that there is more
 * content behind. The foot covers the sheet's padding both when it sticks and at the end.
 */
export function SheetFoot({ children }: { children: ReactNode }) {
  return <div className="sheet-foot flex flex-col gap-2 border-t border-line bg-surface pt-3">{children}</div>
}

/**
 * The confirmation in the foot of a sheet and, smaller beside it, Cancel: one row leaves the height of a small phone to the terms.
 * Magnified, they are below each other. The keyboard reaches the confirmation first.
 */
export function FootRow({ children }: { children: ReactNode }) {
  return <div className="flex flex-row-reverse gap-2 *:first:flex-1 max-magnified:flex-col">{children}</div>
}

/** Returns focus to the opener. If the opener disappears together with the sheet, another element gets focus later. */
function returnFocus(opener: Element | null): HTMLElement | null {
  setTimeout(() => {
    if (document.activeElement === document.body) focusAfter(opener)?.focus({ preventScroll: true })
  })
  return focusAfter(opener)
}

/** The focus returns to the control that opened the sheet, or to the screen if that is gone. */
function focusAfter(opener: Element | null): HTMLElement | null {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  return isThere ? opener : document.getElementById('content')
}
