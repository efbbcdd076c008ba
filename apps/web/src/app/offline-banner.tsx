import { useSyncExternalStore } from 'react'
import { queryClient } from '../api/query-client.ts'
import { m } from '../generated/paraglide/messages.js'
import { Icon } from '../icons/icon.tsx'

/** Says that the device is offline, while the browser says so; which can be wrong, so one may try. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    follow,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status">
      {online ? null : (
        <div className="flex items-center gap-2 border-b border-line ps-4 pe-2 text-label text-warn">
          <Icon name="wifi-off" className="size-4" />
          <p className="flex-1">{m.app_offline()}</p>
          <button
            type="button"
            onClick={() => queryClient.refetchQueries({ type: 'active' })}
            className="min-h-11 shrink-0 rounded-control px-2 font-semibold underline underline-offset-2"
          >
            {m.app_retry()}
          </button>
        </div>
      )}
    </div>
  )
}

function follow(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}
