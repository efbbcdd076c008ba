import { Link } from '@tanstack/react-router'
import type { ListItem } from '../../api/use-list-call.ts'
import { HIDDEN_TEXT, useHiddenAmounts } from '../../browser/hidden-amounts.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { Badge } from '../../components/badge.tsx'
import { HashText } from '../../components/hash-text.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format.ts'

type Transaction = ListItem<'transactions'>

const LINK = 'inline-flex min-h-11 min-w-11 items-center justify-end text-accent'

/** A transaction on the chain: what it moved, how far it is, its hash, and the way to the explorer and to its order. */
export function TransactionRow({ transaction }: { transaction: Transaction }) {
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
          <Badge>{m.history_chain_confirmed()}</Badge>
        ) : (
          <Badge tone="accent">{m.history_chain_pending({ n: confirmations, m: required })}</Badge>
        )}
      </div>
      <div className="flex min-h-11 items-center justify-between gap-3">
        <HashText hash={hash} link={link} copyLabel={m.history_copy_hash()} />
        <OrderLink transaction={transaction} />
      </div>
    </article>
  )
}

/** To where the order's progress stands, where the transaction has one. */
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

/** What went out of the account stands with a minus. An activation is paid from the wallet. */
function signedAmount({ kind, amount }: Transaction): string {
  return kind === 'transfer_in' || amount.startsWith('-') ? amount : `-${amount}`
}
