import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { RefreshControl } from '@clearwell/ui/components/refresh-control.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { formatDayAndTime } from '@clearwell/ui/i18n/format-date.ts'
import { useNavigate } from '@tanstack/react-router'
import { ConnectButton } from '../../account/connect-button.tsx'
import { DemoMark } from '../../account/demo-mark.tsx'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { OwnPlaceBar } from './own-place.tsx'
import { Places } from './places.tsx'
import { type Board, type Period, type Ranking, useRanking } from './rank.queries.ts'
import { SIX } from './rank.samples.ts'
import { readRank } from './rank-search.ts'
import { RankVisibility } from './rank-visibility.tsx'

/** The boards by period, with the user's own rank always in view. */
export default function RankScreen() {
  const { board = 'volume', period = 'day' } = useReadSearch(readRank)
  const { signedIn } = useAccount()
  const navigate = useNavigate()
  const ranking = useRanking(board, period)
  const { data } = ranking
  const show = (search: { board: Board; period: Period }) =>
    void navigate({ to: '/{-$locale}/ranks', search, replace: true, resetScroll: false })
  return (
    <Screen
      title={m.nav_rankings()}
      aside={<RefreshControl query={ranking} />}
      action={
        !signedIn ? (
          <SignInBar />
        ) : (
          data?.me && <OwnPlaceBar board={board} me={data.me} countedPlaces={data.counted_places} />
        )
      }
    >
      <Choice board={board} period={period} onChange={show} />
      {data ? (
        <Shown board={board} ranking={data} />
      ) : ranking.isError ? (
        <ErrorState error={ranking.error} onRetry={ranking.refetch} />
      ) : (
        <Pending>
          <Shown board={board} ranking={SIX} />
        </Pending>
      )}
    </Screen>
  )
}

function Choice({
  board,
  period,
  onChange,
}: {
  board: Board
  period: Period
  onChange: (choice: { board: Board; period: Period }) => void
}) {
  return (
    <div className="flex flex-col gap-2">
      <SegmentedControl
        label={m.rank_board()}
        options={[
          { value: 'power', label: m.rank_power_short() },
          { value: 'volume', label: m.rank_volume_short() },
          { value: 'leads', label: m.rank_leads_short() },
        ]}
        value={board}
        onChange={(next) => onChange({ board: next, period })}
      />
      <SegmentedControl
        label={m.rank_period()}
        options={[
          { value: 'day', label: m.rank_day() },
          { value: 'week', label: m.rank_week() },
          { value: 'all', label: m.rank_all() },
        ]}
        value={period}
        onChange={(next) => onChange({ board, period: next })}
      />
    </div>
  )
}

/** Names the figure of the board, and the end of its period. */
function Caption({ board, ranking: { ends_at: endsAt } }: { board: Board; ranking: Ranking }) {
  const texts: Record<Board, () => string> = {
    power: m.rank_power_text,
    volume: m.rank_volume_text,
    leads: m.rank_leads_text,
  }
  return (
    <p className="figures flex flex-col text-secondary text-muted">
      {/* The mark comes with the configuration, so its room is kept for it. */}
      <span className="flex min-h-6 flex-wrap items-center gap-2">
        {texts[board]()}
        <DemoMark />
      </span>
      {endsAt !== null && <span>{m.rank_ends({ time: formatDayAndTime(endsAt) })}</span>}
    </p>
  )
}

function Shown({ board, ranking }: { board: Board; ranking: Ranking }) {
  const { items, me } = ranking
  return (
    <>
      <Caption board={board} ranking={ranking} />
      {items.length === 0 ? (
        <EmptyState icon="trophy" title={m.rank_empty()} text={emptyText(board)} />
      ) : (
        <Places board={board} places={items} />
      )}
      <p className="text-secondary text-muted">{m.rank_ties()}</p>
      {me && <RankVisibility hidden={me.hidden} />}
    </>
  )
}

function emptyText(board: Board): string {
  switch (board) {
    case 'power':
      return m.rank_none_power()
    case 'volume':
      return m.rank_none_volume()
    case 'leads':
      return m.rank_none_leads()
  }
}

function SignInBar() {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-center text-secondary text-muted">{m.rank_signed_out()}</p>
      <ConnectButton />
    </div>
  )
}
