import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format.ts'
import { Icon } from '../../icons/icon.tsx'
import type { Pair } from './use-pairs.ts'

/** That a pool does not trade, why, and since when. */
export function SuspendedBanner({ pair }: { pair: Pair }) {
  return (
    <div role="status" className="flex gap-3 rounded-card border border-warn/50 p-4">
      <Icon name="triangle-alert" className="mt-px text-warn" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-semibold text-warn">{m.market_suspended()}</p>
        <p>{suspendedText(pair)}</p>
        {pair.suspended_at && (
          <p className="text-label text-muted">
            {m.market_suspended_since({ time: formatDateTime(pair.suspended_at) })}
          </p>
        )}
      </div>
    </div>
  )
}

/** Why a pool does not trade, and what starts it again. */
function suspendedText({ suspended_reason, spot_symbol }: Pair): string {
  switch (suspended_reason) {
    case 'price_deviation':
      return spot_symbol === null ? m.market_suspended_moved() : m.market_suspended_deviation()
    case 'operator':
      return m.market_suspended_operator()
    case 'insolvent':
      return m.market_suspended_insolvent()
    default:
      return m.market_suspended_other()
  }
}
