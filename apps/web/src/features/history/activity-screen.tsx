import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { ArchiveNote } from '../../account/archive-note.tsx'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useLastPage, useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { Part } from '../../manifest/parts.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { Slot } from '../../manifest/slots.ts'
import type { ActivityPart } from '../../manifest/words.ts'
import { ActivityFrame, type ActivityListCall } from './activity-frame.tsx'
import { type ActivityItem, itemsOfEntries, itemsOfTransactions } from './activity-items.ts'
import { ActivityList } from './activity-list.tsx'
import { isActivityPart, kindsOf } from './activity-parts.ts'
import ActivityViews from './activity-views.tsx'
import { commonKinds, type FoundEntries, findEntries, readFind } from './find-entries.ts'
import { FindField } from './find-field.tsx'
import { PendingActivity, TransferInLink } from './history-parts.tsx'
import { LogExport } from './log-export.tsx'
import { OperatorActs } from './operator-acts.tsx'

/** While something is pending its confirmations are shown as they come. */
const PENDING_POLL_MS = 4_000

/** The shown part of the activity, and a search in it. Empty, it shows everything. */
export interface ActivityFilter {
  readonly show?: ActivityPart | 'operator' | undefined
  /** The typed search. */
  readonly find?: string | undefined
}

/** `?show=swaps` shows one part of the activity, and `?show=operator` the operator's acts, which no search finds. */
function readActivity({ show, find }: Record<string, unknown>): ActivityFilter {
  if (show === 'operator') return { show }
  return { ...(isActivityPart(show) ? { show } : {}), ...readFind(find) }
}

/** Everything the user did and received, by day, with the transfers in progress. */
export default function ActivityScreen() {
  const { show, find } = useReadSearch(readActivity)
  const { signedIn } = useAccount()
  const navigate = useNavigate()
  if (!signedIn)
    return (
      <Screen title={m.title_wallet_activity()}>
        <SignedOut icon="history" title={m.history_activity_signed_out()} />
      </Screen>
    )
  if (show === 'operator') return <OperatorActs filter={<ActivityViews shown={show} />} />
  const search = (text: string) =>
    void navigate({
      to: '/{-$locale}/wallet/activity',
      search: { ...(show ? { show } : {}), ...readFind(text) },
      replace: true,
      resetScroll: false,
    })
  const filter = (
    <div className="flex flex-col gap-3">
      <ActivityViews shown={show ?? 'all'} find={find} />
      <FindField key={show} value={find ?? ''} onChange={search} />
    </div>
  )
  // The chain also knows transfers that are not confirmed yet; a search looks at the ledger.
  const List = show === 'transfers' && find === undefined ? TransferActivity : EntryActivity
  return <List key={show} show={show} find={find} filter={filter} />
}

interface PartProps {
  readonly show: ActivityPart | undefined
  readonly find?: string | undefined
  readonly filter: ReactNode
}

/** The whole activity, or a part of it, or what a search finds: from the ledger. */
function EntryActivity({ show, find, filter }: PartProps) {
  const query = entriesOf({ show, find })
  const list = useListCall('logs', query ?? {}, { enabled: query !== undefined })
  const archivedUntil = useLastPage('logs', query ?? {})?.archived_until
  const items = query ? list.data && itemsOfEntries(list.data, { hasMore: list.hasNextPage }) : []
  const note = <ArchiveNote until={query && archivedUntil} />
  return <Activity show={show} find={find} filter={filter} list={list} items={items} query={query} note={note} />
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
  return <Activity show={show} filter={filter} list={list} items={listed} query={entriesOf({ show })} />
}

/** The payload of `logs` for a part and a search; `undefined` if no entry can match both. */
function entriesOf({ show, find = '' }: Omit<PartProps, 'filter'>): FoundEntries | undefined {
  const found = findEntries(find)
  const kinds = commonKinds(kindsOf(show), found?.kinds)
  if (found === undefined || kinds?.length === 0) return undefined
  return { ...found, ...(kinds ? { kinds: [...kinds] } : {}) }
}

interface ActivityProps extends PartProps {
  /** Below the whole list. */
  readonly note?: ReactNode
  readonly list: ActivityListCall
  readonly items: readonly ActivityItem[] | undefined
  /** The entries that an export has. */
  readonly query: FoundEntries | undefined
}

function Activity({ show, find, filter, list, items, query, note }: ActivityProps) {
  const inProgress = find === undefined && <InProgress show={show} />
  return (
    <ActivityFrame
      list={list}
      hasItems={items !== undefined}
      filter={
        <>
          {filter}
          {inProgress}
        </>
      }
      end={
        <>
          {note}
          {items && items.length > 0 && <LogExport key={JSON.stringify(query)} query={() => query ?? {}} />}
        </>
      }
    >
      {items === undefined ? (
        <PendingActivity />
      ) : items.length === 0 && !list.hasNextPage ? (
        <NoActivity show={show} find={find} />
      ) : (
        <ActivityList items={items} />
      )}
    </ActivityFrame>
  )
}

/** Transfers and swaps that have not happened yet. */
function InProgress({ show }: { show: ActivityPart | undefined }) {
  return (
    <>
      {(show === undefined || show === 'transfers') && <Part of="pendingTransfers" />}
      {(show === undefined || show === 'swaps') && <Slot name="swapsToCome" />}
    </>
  )
}

/** Names what will be here, and the next step. */
function NoActivity({ show, find }: Omit<PartProps, 'filter'>) {
  if (find !== undefined) return <EmptyState icon="search" title={m.history_find_none()} text={m.history_find_hint()} />
  switch (show) {
    case 'loans':
      return (
        <EmptyState
          icon="scale"
          title={m.history_activity_empty_loans()}
          text={m.history_activity_loans_text()}
          action={
            <Link to="/{-$locale}/stake/lend" className={buttonClass()}>
              {m.history_activity_borrow()}
            </Link>
          }
        />
      )
    case 'pledges':
      return (
        <EmptyState
          icon="layers"
          title={m.history_activity_empty_pledges()}
          text={m.history_activity_pledges_text()}
          action={
            <Link to="/{-$locale}/stake/pledge" className={buttonClass()}>
              {m.history_activity_pledge()}
            </Link>
          }
        />
      )
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
