import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import { pairName } from './swap-facts.tsx'
import type { Pair } from './swap-terms.ts'

/** The chosen pair with its price; a press chooses another, and a link leads to its chart. */
export function PairHeader({ pair, onChoose }: { pair: Pair; onChoose: () => void }) {
  const name = pairName(pair)
  return (
    <div className="flex items-center gap-1">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onChoose}
        className="flex min-h-11 min-w-0 flex-1 flex-wrap items-center gap-x-3 text-start hover:text-accent"
      >
        <span className="flex min-w-0 items-center gap-1 text-section">
          {name}
          <Icon name="chevron-right" className="size-4 rotate-90 text-muted" />
          <span className="sr-only">{m.swap_choose_pair()}</span>
        </span>
        <span className="figures flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="text-label text-muted">{m.swap_pool()}</span>
          <span className="[overflow-wrap:anywhere]">{formatPrice(pair.price)}</span>
        </span>
      </button>
      <Link
        to="/{-$locale}/markets/$name"
        params={{ name: pair.symbol }}
        aria-label={m.swap_chart({ pair: name })}
        title={m.swap_chart({ pair: name })}
        className="-me-3 inline-flex size-11 shrink-0 items-center justify-center rounded-control text-accent hover:bg-input"
      >
        <Icon name="chart-no-axes-combined" />
      </Link>
    </div>
  )
}
