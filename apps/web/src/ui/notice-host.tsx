import { lazy, Suspense, useRef } from 'react'
import { messageStore, toastStore } from './notices.ts'
import { useStore } from './store.ts'

const MessageDialog = lazy(() => import('./message-dialog.tsx'))
const Toasts = lazy(() => import('./toasts.tsx'))

/** Stands once in the frame and shows what `showToast` and `showError` were given. */
export function NoticeHost() {
  const message = useStore(messageStore)
  const toasts = useStore(toastStore)
  // Once there was a toast its region stays, empty: screen readers tell what comes into a region that they know.
  const hadToasts = useRef(false)
  hadToasts.current ||= toasts.length > 0
  return (
    <Suspense>
      {message && <MessageDialog {...message} onClose={() => messageStore.set(undefined)} />}
      {hadToasts.current && <Toasts toasts={toasts} />}
    </Suspense>
  )
}
