import { cx } from '@clearwell/ui/browser/cx.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { formatAmount, formatUsdt } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../generated/messages.ts'
import type { Board, Place } from './rank.queries.ts'

const PODIUM = 3

/** The first places of a board. */
export function Places({ board, places }: { board: Board; places: readonly Place[] }) {
  return (
    <ol className="flex flex-col divide-y divide-line">
      {places.map((place) => (
        <li
          key={`${place.rank} ${place.address}`}
          aria-current={place.is_me || undefined}
          className="flex min-h-14 items-center gap-3 py-2"
        >
          <RankMark rank={place.rank} />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
            <span className="truncate font-mono">{place.address}</span>
            {place.is_me && <Badge tone="pending">{m.rank_you()}</Badge>}
          </span>
          <span className="figures shrink-0 text-end">
            <PlaceValue board={board} value={place.value} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The rank in a circle; the first three are in the accent colour. */
export function RankMark({ rank }: { rank: number }) {
  return (
    <span
      className={cx(
        'figures flex h-9 min-w-9 shrink-0 items-center justify-center rounded-full px-1 font-semibold',
        rank === 1
          ? 'bg-accent text-on-accent'
          : rank <= PODIUM
            ? 'bg-accent/12 text-accent light:bg-accent/4'
            : 'bg-input text-muted',
      )}
    >
      <span className="sr-only">{m.rank_place({ n: groupedRank(rank) })}</span>
      <span aria-hidden="true">{groupedRank(rank)}</span>
    </span>
  )
}

/** The figure that a board compares, with its unit. */
export function PlaceValue({ board, value }: { board: Board; value: string }) {
  switch (board) {
    case 'power':
      return <AmountText isPublic amount={value} decimals={2} />
    case 'volume':
      return (
        <span title={`${value} USDT`}>
          {formatUsdt(value)} <span className="text-muted">USDT</span>
        </span>
      )
    case 'leads':
      return m.rank_unit_leads({ count: formatAmount(value, { decimals: 0 }) })
  }
}

export function groupedRank(rank: number): string {
  return formatAmount(String(rank), { decimals: 0 })
}
