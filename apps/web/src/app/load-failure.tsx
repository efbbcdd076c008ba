import { useEffect } from 'react'
import { useStore } from '../browser/store.ts'
import { loadFailureStore } from '../components/lazy-part.tsx'
import { m } from '../generated/paraglide/messages.js'
import { Icon } from '../icons/icon.tsx'

/**
 * Says that what was pressed could not be opened, until anything is pressed again. Made of nothing that would have to be
 * loaded itself.
 */
export function LoadFailure() {
  const isFailed = useStore(loadFailureStore)
  useEffect(() => {
    const forget = () => loadFailureStore.set(false)
    document.addEventListener('click', forget)
    return () => document.removeEventListener('click', forget)
  }, [])
  if (!isFailed) return null
  return (
    <div className="column fixed inset-x-0 bottom-[calc(var(--foot)+0.5rem)] z-30 px-4">
      <p role="alert" className="flex gap-2 rounded-control border border-down/50 bg-raised p-3">
        <Icon name="circle-alert" className="text-down" />
        <span className="min-w-0">{m.app_no_answer()}</span>
      </p>
    </div>
  )
}
