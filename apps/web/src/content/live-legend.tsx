import { IconButton } from '../components/icon-button.tsx'
import { m } from '../generated/paraglide/messages.js'
import { formatTime } from '../i18n/format.ts'
import { useLiveConfig } from './live-text.tsx'

/** Says how live figures are marked and when they were read; reads them again when asked. */
export function LiveLegend() {
  const { data, isError, dataUpdatedAt, refetch } = useLiveConfig()
  return (
    <p className="flex items-center gap-2 text-label text-muted">
      <span className="min-w-0 flex-1">
        {m.content_live_legend()}
        {isError ? (
          <span className="block text-warn">{data ? m.ui_stale() : m.content_live_missing()}</span>
        ) : (
          <span className="figures block">
            {data ? m.content_live_read({ time: formatTime(new Date(dataUpdatedAt).toISOString()) }) : m.app_loading()}
          </span>
        )}
      </span>
      <IconButton icon="refresh-cw" label={m.content_live_refresh()} onClick={() => refetch()} className="-me-2" />
    </p>
  )
}
