import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { DemoAccountMark } from '../../account/demo-mark.tsx'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { Part } from '../../manifest/parts.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { Slot } from '../../manifest/slots.ts'
import { type ActivityItem, type ActivityPart, itemsOfEntries, itemsOfTransactions } from './activity-items.ts'
import { ActivityList } from './activity-list.tsx'
import { PendingActivity, TransferInLink } from './history-parts.tsx'
import Records from './records.tsx'

/** While something is pending its confirmations are shown as they come. */
const PENDING_POLL_MS = 4_000

/** The part of the activity that is shown; all of it without one. */
export interface ActivityFilter {
  readonly show?: ActivityPart
}

/** `?show=swaps` shows one part of the activity. */
function readActivity({ show }: Record<string, unknown>): ActivityFilter {
  return show === 'transfers' || show === 'swaps' || show === 'rewards' ? { show } : {}
}

/** Everything the user did and received, by day, with the transfers in progress. */
export default function ActivityScreen() {
  const { show } = useReadSearch(readActivity)
  const { signedIn } = useAccount()
  const navigate = useNavigate()
  const choose = (next: ActivityPart | 'all') =>
    void navigate({
      to: '/{-$locale}/wallet/activity',
      search: next === 'all' ? {} : { show: next },
      replace: true,
      resetScroll: false,
    })
  if (!signedIn)
    return (
      <Screen title={m.title_wallet_activity()}>
        <SignedOut icon="history" title={m.history_activity_signed_out()} />
      </Screen>
    )
  const filter = (
    <SegmentedControl
      label={m.history_activity_filter()}
      options={[
        { value: 'all', label: m.history_activity_all() },
        { value: 'transfers', label: m.history_activity_transfers() },
        { value: 'swaps', label: m.history_activity_swaps() },
        { value: 'rewards', label: m.history_activity_rewards() },
      ]}
      value={show ?? 'all'}
      onChange={choose}
    />
  )
  const List = show === 'transfers' ? TransferActivity : EntryActivity
  return <List key={show} show={show} filter={filter} />
}

interface PartProps {
  readonly show: ActivityPart | undefined
  readonly filter: ReactNode
}

/** The whole activity, or its swaps or rewards: from the ledger. */
function EntryActivity({ show, filter }: PartProps) {
  const kind = show === 'swaps' ? 'swap' : show === 'rewards' ? 'referral_share' : undefined
  const list = useListCall('logs', kind ? { kind } : {})
  const items = list.data && itemsOfEntries(list.data, { hasMore: list.hasNextPage })
  return <Activity show={show} filter={filter} list={list} items={items} />
}

/** Transfers and activation payments: from the chain, pending ones included. */
function TransferActivity({ show, filter }: PartProps) {
  const [isPending, setPending] = useState(false)
  const list = useListCall('transactions', {}, { refetchInterval: isPending && PENDING_POLL_MS })
  const items = list.data && itemsOfTransactions(list.data)
  const hasPending = items?.some((item) => item.pending) ?? false
  useEffect(() => setPending(hasPending), [hasPending])
  // A pending transfer with an order is among the transfers in progress.
  const listed = items?.filter((item) => !item.pending || !item.orderId || item.kind === 'activation')
  return <Activity show={show} filter={filter} list={list} items={listed} />
}

interface ActivityProps extends PartProps {
  readonly list: Parameters<typeof ListEnd>[0] & {
    readonly isError: boolean
    readonly error: Error | null
    readonly isRefetching: boolean
    readonly refetch: () => Promise<{ error: Error | null }>
  }
  readonly items: readonly ActivityItem[] | undefined
}

function Activity({ show, filter, list, items }: ActivityProps) {
  return (
    <Screen
      title={m.title_wallet_activity()}
      aside={
        <span className="flex items-center gap-1">
          <DemoAccountMark />
          {list.isError && items && <span className="text-label text-warn">{m.ui_stale()}</span>}
          <IconButton
            icon="refresh-cw"
            label={m.app_reload()}
            aria-busy={list.isRefetching || undefined}
            onClick={() => explicitRead(list.refetch)}
          />
        </span>
      }
    >
      {filter}
      {(show === undefined || show === 'transfers') && <Part of="pendingTransfers" />}
      {(show === undefined || show === 'swaps') && <Slot name="swapsToCome" />}
      {items ? (
        items.length === 0 && !list.hasNextPage ? (
          <NoActivity show={show} />
        ) : (
          <ActivityList items={items} />
        )
      ) : list.isError ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : (
        <PendingActivity />
      )}
      <ListEnd {...list} />
      {/* Not below the skeleton: a longer list would push them down. */}
      {(items || list.isError) && <Records />}
    </Screen>
  )
}

/** Names what will be here, and the next step. */
function NoActivity({ show }: { show: ActivityPart | undefined }) {
  switch (show) {
    case 'swaps':
      return (
        <EmptyState
          icon="arrow-left-right"
          title={m.history_activity_empty_swaps()}
          text={m.history_activity_swaps_text()}
          action={
            <Link to="/{-$locale}/swap/exchange" className={buttonClass()}>
              {m.nav_swap()}
            </Link>
          }
        />
      )
    case 'rewards':
      return (
        <EmptyState
          icon="hand-coins"
          title={m.history_activity_empty_rewards()}
          text={m.history_activity_rewards_text()}
        />
      )
    default:
      return (
        <EmptyState
          icon="history"
          title={show === 'transfers' ? m.history_activity_empty_transfers() : m.history_activity_empty()}
          text={show === 'transfers' ? m.history_chain_empty_text() : m.history_activity_empty_text()}
          action={<TransferInLink />}
        />
      )
  }
}
