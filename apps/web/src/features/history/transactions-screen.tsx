import { useEffect, useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { useListCall } from '../../api/use-list-call.ts'
import { Badge } from '../../components/badge.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { explicitRead } from '../../components/explicit-read.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { ListEnd } from '../../components/list-end.tsx'
import { Screen } from '../../components/screen.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { RowsSkeleton } from './rows-skeleton.tsx'
import { SignedOutCard } from './signed-out-card.tsx'
import { TransactionRow } from './transaction-row.tsx'
import { TransferInLink } from './transfer-in-link.tsx'

const POLL_MS = 4_000

/** Everything of mine on the chain, newest first: transfers in and out, and the payment of an activation. */
export function TransactionsScreen() {
  const { signedIn } = useAccount()
  return signedIn ? (
    <Transactions />
  ) : (
    <Screen title={m.nav_transaction_history()}>
      <SignedOutCard text={m.history_chain_signed_out()} />
    </Screen>
  )
}

function Transactions() {
  const [pending, setPending] = useState(false)
  const list = useListCall('transactions', {}, { refetchInterval: pending ? POLL_MS : false })
  const isPending = list.data?.some(({ status }) => status === 'pending') ?? false
  useEffect(() => setPending(isPending), [isPending])
  return (
    <Screen
      title={m.nav_transaction_history()}
      aside={
        <span className="flex items-center gap-1">
          {list.isError && list.data && <Badge tone="warn">{m.ui_stale()}</Badge>}
          <IconButton
            icon="refresh-cw"
            label={m.app_reload()}
            aria-busy={list.isRefetching || undefined}
            onClick={() => explicitRead(list.refetch)}
          />
        </span>
      }
    >
      {list.data ? (
        list.data.length === 0 ? (
          <EmptyState
            icon="history"
            title={m.history_chain_empty()}
            text={m.history_chain_empty_text()}
            action={<TransferInLink />}
          />
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {list.data.map((transaction, i) => (
              // One transaction can move several amounts, even twice the same: its place tells them apart.
              <li key={`${transaction.tx_hash}-${list.data.length - i}`}>
                <TransactionRow transaction={transaction} />
              </li>
            ))}
          </ul>
        )
      ) : list.isError ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : (
        <RowsSkeleton />
      )}
      <ListEnd {...list} />
    </Screen>
  )
}
