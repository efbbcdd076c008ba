import { useStore } from '@clearwell/ui/browser/store.ts'
import { useOnline } from '@clearwell/ui/browser/use-online.ts'
import { loadFailureStore } from '@clearwell/ui/components/lazy-part.tsx'
import { formatDateTime, formatTimeOfDay } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { notifyManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { oldestShownMs, queryClient } from '../api/query-client.ts'
import { m } from '../generated/messages.ts'

/** When this page began to load, in milliseconds. Older figures were kept by an earlier one. */
const PAGE_START_MS = globalThis.performance?.timeOrigin ?? 0

/**
 * Says that the device is offline, as the browser reports, or that the server does not respond, and from when the figures are. The
 * report can be wrong, so there is a retry.
 */
export function OfflineBanner() {
  const online = useOnline()
  const atMs = useSyncExternalStore(followQueries, oldestShownMs, () => undefined)
  const isOld = atMs !== undefined && (!online || atMs < PAGE_START_MS)
  return (
    <div role="status">
      {(!online || isOld) && (
        <div className="flex items-center gap-2 border-b border-line ps-4 pe-2 text-label text-warn">
          <Icon name="wifi-off" className="size-4" />
          <p className="flex-1 text-phrases">{isOld ? aged(atMs, online) : m.app_offline()}</p>
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

function aged(atMs: number, online: boolean): string {
  const at = new Date(atMs)
  const isToday = at.toDateString() === new Date().toDateString()
  const time = isToday ? formatTimeOfDay(at.toISOString()) : formatDateTime(at.toISOString())
  return online ? m.app_away_as_of({ time }) : m.app_offline_as_of({ time })
}

function followQueries(onChange: () => void): () => void {
  return queryClient.getQueryCache().subscribe(notifyManager.batchCalls(onChange))
}

/**
 * Says that a pressed control could not open its sheet, until the next press. It uses no code that would have to load.
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
    <div className="column fixed inset-x-0 above-foot z-30 px-4">
      <p role="alert" className="flex gap-2 rounded-control border border-warn/50 bg-surface p-3">
        <Icon name="circle-alert" className="text-warn" />
        <span className="min-w-0">{m.app_no_response()}</span>
      </p>
    </div>
  )
}
