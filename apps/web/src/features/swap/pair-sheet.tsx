import { Badge } from '@clearwell/ui/components/badge.tsx'
import { PriceChange } from '@clearwell/ui/components/price-change.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { SearchField } from './search-field.tsx'
import { pairName } from './swap-facts.tsx'
import type { Pair } from './swap-terms.ts'

/** The pools, each with its price and 24 hours; a check mark shows the chosen one. */
export default function PairSheet({
  pairs,
  chosen,
  onChoose,
  onClose,
}: {
  pairs: readonly Pair[]
  chosen: Pair
  onChoose: (pair: Pair) => void
  onClose: () => void
}) {
  const [searched, setSearched] = useState('')
  const shown = pairs.filter((pair) =>
    `${pairName(pair)} ${pair.symbol}`.toLowerCase().includes(searched.trim().toLowerCase()),
  )
  return (
    <Sheet title={m.swap_choose_pair()} onClose={onClose}>
      <SearchField label={m.swap_search_pair()} value={searched} onChange={setSearched} />
      {shown.length === 0 && <p className="text-muted">{m.swap_search_no_pair({ n: pairs.length })}</p>}
      <ul className="-mx-2 flex flex-col">
        {shown.map((pair) => (
          <li key={pair.id}>
            <button
              type="button"
              aria-current={pair.id === chosen.id ? 'true' : undefined}
              onClick={() => {
                onChoose(pair)
                onClose()
              }}
              className="flex min-h-16 w-full items-center gap-3 rounded-control px-2 py-2 text-start hover:bg-input"
            >
              <TokenMark asset={pair.base} />
              <span className="flex min-w-0 flex-1 flex-col gap-1">
                <span className="flex items-center gap-2 font-semibold">
                  {pairName(pair)}
                  {pair.suspended && <Badge tone="warning">{m.swap_suspended()}</Badge>}
                </span>
                <span className="figures text-label text-muted">
                  {m.swap_volume({ amount: formatAmount(pair.volume_24h, { decimals: 2 }), asset: pair.base })}
                </span>
              </span>
              <span className="figures flex shrink-0 flex-col items-end gap-1">
                <span>{formatPrice(pair.price)}</span>
                <span className="text-label">
                  <PriceChange fraction={pair.change_24h} />
                </span>
              </span>
              <Icon name="check" className={pair.id === chosen.id ? 'text-accent' : 'invisible'} />
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
