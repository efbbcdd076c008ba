import { lazy, Suspense } from 'react'
import { messageStore, toastStore } from './notices.ts'
import { useStore } from './store.ts'

const MessageDialog = lazy(() => import('./message-dialog.tsx'))
const Toasts = lazy(() => import('./toasts.tsx'))

/** Stands once in the frame and shows what `showToast`, `showMessage` and `showError` were given. */
export function NoticeHost() {
  const message = useStore(messageStore)
  const toasts = useStore(toastStore)
  return (
    <Suspense>
      {message && <MessageDialog {...message} onClose={() => messageStore.set(undefined)} />}
      {toasts.length > 0 && <Toasts toasts={toasts} />}
    </Suspense>
  )
}
