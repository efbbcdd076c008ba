import { Toast } from '@base-ui/react/toast'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { sheetIsOpen } from '../browser/sheet-history.ts'
import { m } from '../generated/messages.ts'
import { popupLayer } from './popup-layer.ts'
import { TOAST_MS, toastStore } from './toast-store.ts'

/** A screen reader has to know of a live region before something is put into it, or it stays silent. */
const REGION_KNOWN_MS = 100

/**
 * Shows toasts above the action of the screen, over everything else that is open, for 2 s each (longer while the pointer or the
 * focus is on one), and tells them to screen readers politely.
 */
export default function Toasts({ toasts }: { toasts: readonly { id: number; text: string }[] }) {
  const hasToasts = toasts.length > 0
  useLayoutEffect(() => {
    if (hasToasts) choosePlace(popupLayer())
  }, [hasToasts])
  return (
    <Toast.Provider timeout={TOAST_MS} limit={3}>
      <Feeder toasts={toasts} />
      <Toast.Portal container={popupLayer()}>
        <Toast.Viewport
          aria-label={m.ui_message()}
          className="column pointer-events-none fixed inset-x-0 over-action z-66 flex flex-col items-center gap-2 px-4"
        >
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

/** Chosen once for the toasts that are there together: one that moved could come under the pointer, and would stay. */
function choosePlace(layer: HTMLElement): void {
  layer.dataset.toasts = sheetIsOpen.get() ? 'header' : 'action'
  // Some screens say something above their button, which then is higher than usual.
  const action = document.querySelector<HTMLElement>('.screen-action')
  const isSticky = action !== null && getComputedStyle(action).position === 'sticky'
  layer.style.setProperty('--action-height', `${isSticky ? action.offsetHeight : 0}px`)
}

/** Hands each toast of the store over once, and takes it off the store when it has gone. */
function Feeder({ toasts }: { toasts: readonly { id: number; text: string }[] }) {
  const { add, close } = Toast.useToastManager()
  const handedOver = useRef(0)
  const mountedAtMs = useRef(Date.now())
  useEffect(() => {
    const timer = setTimeout(
      () => {
        for (const { id, text } of toasts) {
          if (id <= handedOver.current) continue
          handedOver.current = id
          const remove = () => toastStore.set(toastStore.get().filter((toast) => toast.id !== id))
          const toast = add({ title: text, onRemove: remove })
          // The timer stops while another window has the focus. In Firefox a download takes it, and never gives it back.
          setTimeout(() => document.hasFocus() || close(toast), TOAST_MS)
        }
      },
      Math.max(0, mountedAtMs.current + REGION_KNOWN_MS - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [toasts, add, close])
  return null
}

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      data-toast=""
      swipeDirection={['down', 'right', 'left']}
      className="pointer-events-auto rounded-control border border-line bg-input px-4 py-2 text-secondary text-pretty transition-opacity duration-sheet data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Title className="[overflow-wrap:anywhere]" />
    </Toast.Root>
  ))
}
