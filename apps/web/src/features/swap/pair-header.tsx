import { Link } from '@tanstack/react-router'
import { PriceChange } from '../../components/price-change.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatPrice } from '../../i18n/price-text.ts'
import { Icon } from '../../icons/icon.tsx'
import type { Pair } from './swap-terms.ts'

/** Which pair is swapped and where it stands, with the way to choose another and the way to its chart. */
export function PairHeader({ pair, onChoose }: { pair: Pair; onChoose: () => void }) {
  const name = pairName(pair)
  return (
    <div className="flex flex-wrap gap-2">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onChoose}
        className="flex min-h-14 min-w-0 grow basis-48 flex-wrap items-center gap-x-2 rounded-card border border-line bg-card px-4 py-1.5 max-[374px]:px-3 text-start transition-colors hover:border-accent"
      >
        <span className="flex min-w-0 items-center gap-1 text-heading">
          {name}
          <Icon name="chevron-right" className="size-4 rotate-90 text-muted" />
          <span className="sr-only">{m.swap_choose_pair()}</span>
        </span>
        <span className="figures ms-auto flex min-w-0 flex-col items-end text-end">
          <span className="[overflow-wrap:anywhere]">{formatPrice(pair.price)}</span>
          <span className="text-label text-muted">
            <PriceChange fraction={pair.change_24h} /> {m.swap_24h()}
          </span>
        </span>
      </button>
      <Link
        to="/{-$locale}/markets/$name"
        params={{ name: pair.symbol }}
        aria-label={m.swap_chart({ pair: name })}
        title={m.swap_chart({ pair: name })}
        className="inline-flex min-h-14 w-14 shrink-0 items-center justify-center rounded-card border border-line bg-card text-accent transition-colors hover:border-accent"
      >
        <Icon name="chart-no-axes-combined" />
      </Link>
    </div>
  )
}

export function pairName({ base, quote }: Pick<Pair, 'base' | 'quote'>): string {
  return `${base}/${quote}`
}
