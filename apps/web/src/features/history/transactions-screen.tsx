import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen, ScreenPart } from '@clearwell/ui/components/screen.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { type ListItem, useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import ActivityViews from './activity-views.tsx'
import { TRANSACTIONS } from './history.samples.ts'
import { TransferInLink } from './history-parts.tsx'

type Transaction = ListItem<'transactions'>

const POLL_MS = 4_000
const LINK = 'inline-flex min-h-11 min-w-11 items-center justify-end text-accent'

/** The user's transactions on the chain, newest first: transfers in and out, and activation payments. */
export default function TransactionsScreen() {
  const { signedIn } = useAccount()
  return signedIn ? (
    <Transactions />
  ) : (
    <Screen title={m.nav_transaction_history()}>
      <SignedOut icon="history" title={m.history_chain_signed_out()} />
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
          {list.isError && list.data && <Badge tone="warning">{m.ui_stale()}</Badge>}
          <IconButton
            icon="refresh-cw"
            label={m.app_reload()}
            aria-busy={list.isRefetching || undefined}
            onClick={() => explicitRead(list.refetch)}
          />
        </span>
      }
    >
      <ScreenPart>
        <ActivityViews shown="chain" />
      </ScreenPart>
      <ScreenPart>
        {list.data ? (
          list.data.length === 0 ? (
            <EmptyState
              icon="history"
              title={m.history_chain_empty()}
              text={m.history_chain_empty_text()}
              action={<TransferInLink />}
            />
          ) : (
            <Rows transactions={list.data} />
          )
        ) : list.isError ? (
          <ErrorState error={list.error} onRetry={list.refetch} />
        ) : (
          <Pending>
            <Rows transactions={TRANSACTIONS} />
          </Pending>
        )}
        <ListEnd {...list} />
      </ScreenPart>
    </Screen>
  )
}

function Rows({ transactions }: { transactions: readonly Transaction[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {transactions.map((transaction, i) => (
        // One transaction can move several amounts, even equal ones, so the key has the index from the end.
        <li key={`${transaction.tx_hash}-${transactions.length - i}`}>
          <TransactionRow transaction={transaction} />
        </li>
      ))}
    </ul>
  )
}

/** A transaction on the chain: amount, confirmations, hash, and links to the explorer and its order. */
function TransactionRow({ transaction }: { transaction: Transaction }) {
  const { asset, confirmations, required, tx_hash: hash, explorer_url: link } = transaction
  const { hidden } = useHiddenAmounts()
  return (
    <article className="flex flex-col gap-1 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2>{kindText(transaction.kind)}</h2>
        <span className="figures">
          {hidden ? HIDDEN_TEXT : <AmountText amount={signedAmount(transaction)} asset={asset} signed />}
        </span>
      </div>
      <div className="flex items-center justify-between gap-3">
        <span className="figures text-label text-muted">{formatDateTime(transaction.created_at)}</span>
        {transaction.status === 'confirmed' ? (
          <Badge tone="done">{m.history_chain_confirmed()}</Badge>
        ) : (
          <Badge tone="pending">{m.history_chain_pending({ n: confirmations, m: required })}</Badge>
        )}
      </div>
      <div className="flex min-h-11 items-center justify-between gap-3">
        <HashText hash={hash} link={link} copyLabel={m.history_copy_hash()} />
        <OrderLink transaction={transaction} />
      </div>
    </article>
  )
}

/** A link to the order's progress, where the transaction has an order. */
function OrderLink({ transaction: { kind, order_id: order } }: { transaction: Transaction }) {
  if (order === null) return null
  switch (kind) {
    case 'transfer_in':
      return (
        <Link to="/{-$locale}/wallet/sendTransaction" search={{ order }} className={LINK}>
          {m.history_chain_order()}
        </Link>
      )
    case 'transfer_out':
      return (
        <Link to="/{-$locale}/wallet/sendTransaction" search={{ order, way: 'out' }} className={LINK}>
          {m.history_chain_order()}
        </Link>
      )
    case 'activation':
      return (
        <Link to="/{-$locale}/swap/activate" className={LINK}>
          {m.history_chain_order()}
        </Link>
      )
  }
}

function kindText(kind: Transaction['kind']): string {
  switch (kind) {
    case 'transfer_in':
      return m.history_chain_transfer_in()
    case 'activation':
      return m.history_chain_activation()
    case 'transfer_out':
      return m.history_chain_transfer_out()
  }
}

/** Negative for outgoing amounts. An activation is paid from the wallet. */
function signedAmount({ kind, amount }: Transaction): string {
  return kind === 'transfer_in' || amount.startsWith('-') ? amount : `-${amount}`
}
