import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { useConfig } from '../api/config.ts'
import { useCall } from '../api/use-call.ts'
import { m } from '../generated/messages.ts'
import { boxValue } from './box-value.ts'
import { lendingValue } from './lending-value.ts'
import {
  type BoxName,
  type ConfigName,
  isBoxName,
  isLendingName,
  isRichName,
  type LendingName,
  type LiveName,
  type RichName,
} from './live-names.ts'
import { liveValue } from './live-value.ts'
import { richValue } from './rich-value.ts'

const CONFIG_STALE_MS = 60_000

/** A text whose placeholders, such as `{swap_fee}`, show marked figures of the server's current configuration. */
export function LiveText({ text }: { text: string }) {
  const parts = text.split(/\{(\w+)\}/)
  if (parts.length === 1) return text
  // The odd parts are the names. The text never changes while mounted, so indexes are safe as keys.
  return parts.map((part, i) => (i % 2 === 0 ? part : <LiveFigure key={`${i}${part}`} name={part as LiveName} />))
}

/** One live figure; a dash while it is unknown. */
export function LiveFigure({ name }: { name: LiveName }) {
  if (isBoxName(name)) return <BoxFigure name={name} />
  if (isLendingName(name)) return <LendingFigure name={name} />
  return isRichName(name) ? <RichFigure name={name} /> : <ConfigFigure name={name} />
}

function ConfigFigure({ name }: { name: ConfigName }) {
  const data = useConfig()
  if (name === 'product') return data ? liveValue(name, data) : m.app_name()
  return <MarkedFigure text={data && liveValue(name, data)} />
}

function LendingFigure({ name }: { name: LendingName }) {
  const { data } = useLendingParameters()
  return <MarkedFigure text={data && lendingValue(name, data.now)} />
}

function RichFigure({ name }: { name: RichName }) {
  const { data } = useCall('richProgram', {}, { staleTime: CONFIG_STALE_MS })
  return <MarkedFigure text={data && richValue(name, data)} />
}

function BoxFigure({ name }: { name: BoxName }) {
  const { data } = useCall('boxRules', {}, { staleTime: CONFIG_STALE_MS })
  return <MarkedFigure text={data && boxValue(name, data)} />
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
