import { useSyncExternalStore } from 'react'
import { m } from '../generated/paraglide/messages.js'
import { Icon } from '../ui/icon.tsx'

/** Says that the device is offline, while it is. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    follow,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status">
      {online ? null : (
        <p className="flex items-center gap-2 border-b border-line px-4 py-2 text-label text-warn">
          <Icon name="wifi-off" className="size-4" />
          {m.app_offline()}
        </p>
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
