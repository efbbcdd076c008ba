import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { useConfig } from '../api/config.ts'
import { useCall } from '../api/use-call.ts'
import { m } from '../generated/messages.ts'
import { type LiveFigure as Figure, type FigureCall, liveFigure } from './live-figures.ts'

const CONFIG_STALE_MS = 60_000

/** A text whose placeholders, such as `{swap_fee}`, show marked figures of the server's current configuration. */
export function LiveText({ text }: { text: string }) {
  const parts = text.split(/\{(\w+)\}/)
  if (parts.length === 1) return text
  // The odd parts are the names. The text never changes while mounted, so indexes are safe as keys.
  return parts.map((part, i) => (i % 2 === 0 ? part : <LiveFigure key={`${i}${part}`} name={part} />))
}

/** One live figure; a dash while it is unknown. */
export function LiveFigure({ name }: { name: string }) {
  const figure = liveFigure(name)
  if (name === 'product') return <ProductName figure={figure} />
  return figure.call === 'config' ? <ConfigFigure figure={figure} /> : <CalledFigure figure={figure} />
}

/** Unmarked, and never a dash. */
function ProductName({ figure }: { figure: Figure }) {
  const config = useConfig()
  return config ? format(figure, config) : m.app_name()
}

function ConfigFigure({ figure }: { figure: Figure }) {
  const config = useConfig()
  return <MarkedFigure text={config && format(figure, config)} />
}

function CalledFigure({ figure }: { figure: Figure }) {
  const { data } = useCall<FigureCall>(figure.call, {}, { staleTime: CONFIG_STALE_MS })
  return <MarkedFigure text={data && format(figure, data)} />
}

/** The response is that of the figure's call. */
function format(figure: Figure, response: unknown): string {
  return figure.format(response as never)
}

function MarkedFigure({ text }: { text: string | undefined }) {
  return (
    <span
      title={m.content_live()}
      className="figures border-b border-dotted border-line font-semibold [overflow-wrap:anywhere]"
    >
      {text ?? '—'}
    </span>
  )
}

/** Reads the configuration for live figures. */
export function useLiveConfig() {
  return useCall('config', {}, { staleTime: CONFIG_STALE_MS })
}

/** Reads the parameters of the lending market for live figures. */
export function useLendingParameters() {
  return useCall('stakeParameters', {}, { staleTime: CONFIG_STALE_MS })
}

/** Explains the marked figures, with their age, a failure to load them, and a refresh button. */
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
