import { useCall } from '../api/use-call.ts'
import { m } from '../generated/paraglide/messages.js'
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

/** One figure of the configuration. A dash stands for it while it is not known. */
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

/** The configuration with its age and its failure: what {@link LiveFigure} shows, and where it stands. */
export function useLiveConfig() {
  return useCall('config', {}, { staleTime: CONFIG_STALE_MS })
}
