import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'
import { groupedRank, PlaceValue, RankMark } from './places.tsx'
import type { Board, OwnPlace } from './rank.queries.ts'

/** The user's own rank on the shown board, above the tabs however far the list is scrolled. */
export function OwnPlaceBar({ board, me, countedPlaces }: { board: Board; me: OwnPlace; countedPlaces: number }) {
  return (
    <section
      aria-label={m.rank_my_place()}
      className="flex min-h-16 items-center gap-3 rounded-card border border-transparent bg-surface px-4 py-2 light:border-line"
    >
      {me.rank === null ? <Icon name="trophy" className="text-muted" /> : <RankMark rank={me.rank} />}
      <p className="min-w-0 flex-1">
        <span className="block font-semibold">{m.rank_you()}</span>
        <span className="figures text-secondary text-muted">{placeText(me, countedPlaces)}</span>
      </p>
      <span className="figures shrink-0 text-end">
        <PlaceValue board={board} value={me.value} />
      </span>
    </section>
  )
}

function placeText({ rank, value, hidden }: OwnPlace, countedPlaces: number): string {
  if (hidden) return m.rank_hidden()
  if (rank !== null) return m.rank_place({ n: groupedRank(rank) })
  return /[1-9]/.test(value) ? m.rank_beyond({ n: groupedRank(countedPlaces) }) : m.rank_none()
}
