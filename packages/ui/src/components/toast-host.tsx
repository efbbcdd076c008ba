import { useEffect, useRef } from 'react'
import { afterTouch } from '../browser/after-touch.ts'
import { useStore } from '../browser/store.ts'
import { currentLocale } from '../i18n/locale.ts'
import { followTapsOnAmounts } from './exact-amount.ts'
import { lazyPart, lazySheet } from './lazy-part.tsx'
import { messageStore, toastStore } from './toast-store.ts'

const MessageDialog = lazySheet(() => import('./message-dialog.tsx'))
const Toasts = lazyPart(() => import('./toasts.tsx'))

/** Appears once in the frame and shows what `showToast` and `showError` were given. */
export function ToastHost() {
  const message = useStore(messageStore)
  const toasts = useStore(toastStore)
  // Once there was a toast its region stays, empty: screen readers tell what comes into a region that they know.
  const hadToasts = useRef(false)
  hadToasts.current ||= toasts.length > 0
  // The notice of a lost network must be loaded before the network is lost. If that fails now, the notice retries.
  useEffect(() => afterTouch(() => void Promise.allSettled([MessageDialog.preload(), Toasts.preload()])), [])
  useEffect(followTapsOnAmounts, [])
  return (
    <>
      {message && <MessageDialog {...message} onClose={() => messageStore.set(undefined)} />}
      {/* Another language begins with an empty region. */}
      {hadToasts.current && <Toasts key={currentLocale()} toasts={toasts} />}
    </>
  )
}
