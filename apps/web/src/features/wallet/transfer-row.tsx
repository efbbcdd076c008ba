import { useNavigate } from '@tanstack/react-router'
import { HIDDEN_TEXT, useHiddenAmounts } from '../../browser/hidden-amounts.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { ListRow } from '../../components/list-row.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format.ts'

/** How a transfer stands, in a word or two, and what comes next. */
export interface TransferState {
  readonly tone: BadgeTone
  readonly label: string
  readonly next: string | undefined
}

interface TransferRowProps {
  readonly order: { order_id: string; amount: string; asset: string; created_at: string }
  readonly state: TransferState
  readonly out?: boolean
  /** Says which way it goes, where both ways are listed. */
  readonly way?: boolean
}

/** A transfer in a list. The row leads to its progress. */
export function TransferRow({ order, state, out = false, way = false }: TransferRowProps) {
  const navigate = useNavigate()
  const { hidden } = useHiddenAmounts()
  const { order_id: id, amount, asset, created_at: createdAt } = order
  const search = out ? ({ order: id, way: 'out' } as const) : { order: id }
  const icon = out ? 'arrow-up-from-line' : 'arrow-down-to-line'
  return (
    <ListRow
      {...(way ? { icon } : {})}
      title={
        <span className="flex items-center justify-between gap-2">
          {hidden ? (
            <span className="figures font-semibold">{HIDDEN_TEXT}</span>
          ) : (
            <AmountText amount={amount} asset={asset} className="min-w-0 truncate font-semibold" />
          )}
          <Badge tone={state.tone}>{state.label}</Badge>
        </span>
      }
      detail={
        <>
          <span className="figures block">
            {way && `${out ? m.wallet_transfer_out() : m.wallet_transfer_in()} · `}
            {formatDateTime(createdAt)}
          </span>
          {state.next && <span className="block text-text">{state.next}</span>}
        </>
      }
      onClick={() => navigate({ to: '/{-$locale}/wallet/sendTransaction', search })}
    />
  )
}
