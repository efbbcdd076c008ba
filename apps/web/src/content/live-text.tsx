import { useCall } from '../api/use-call.ts'
import { IconButton } from '../components/icon-button.tsx'
import { m } from '../generated/paraglide/messages.js'
import { formatTime } from '../i18n/format.ts'
import type { LiveName } from './live-names.ts'
import { liveValue } from './live-value.ts'

const CONFIG_STALE_MS = 60_000

/** A text in which `{swap_fee}` and the like stand for figures of the server's configuration, read now and marked. */
export function LiveText({ text }: { text: string }) {
  const parts = text.split(/\{(\w+)\}/)
  if (parts.length === 1) return text
  // The odd parts are the names. The text never changes while it is shown, so places can be keys.
  return parts.map((part, i) => (i % 2 === 0 ? part : <LiveFigure key={`${i}${part}`} name={part as LiveName} />))
}

/** One figure of the configuration; a dash while it is unknown. */
export function LiveFigure({ name }: { name: LiveName }) {
  const { data } = useLiveConfig()
  if (name === 'product') return data ? liveValue(name, data) : m.app_name()
  return (
    <span
      title={m.content_live()}
      className="figures border-b border-dotted border-edge font-semibold [overflow-wrap:anywhere]"
    >
      {data ? liveValue(name, data) : '—'}
    </span>
  )
}

/** Explains the marked figures: the configuration's age, and a failure to load it. */
export function useLiveConfig() {
  return useCall('config', {}, { staleTime: CONFIG_STALE_MS })
}

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
