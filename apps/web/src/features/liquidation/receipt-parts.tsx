import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Line } from '@clearwell/ui/components/line.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import type { Receipt, useReceipts } from './liquidation.queries.ts'

/** The liquidations of one order, newest first; each leads to its receipt. A liquidator sees only the own ones. */
export function ReceiptParts({ receipts }: { receipts: ReturnType<typeof useReceipts> }) {
  return (
    <>
      <p className="text-muted">{m.liquidation_receipt_parts_text()}</p>
      <ul className="flex flex-col divide-y divide-line">
        {receipts.data?.map((receipt) => (
          <li key={receipt.liquidation_id}>
            <PartRow receipt={receipt} />
          </li>
        ))}
      </ul>
      <ListEnd {...receipts} />
    </>
  )
}

function PartRow({ receipt }: { receipt: Receipt }) {
  const { order_id, liquidation_id, side, steps, collateral_asset, lending_asset } = receipt
  const received = side === 'borrower' ? `-${receipt.received}` : receipt.received
  return (
    <Link
      to="/{-$locale}/stake/receipt"
      search={{ order: order_id, part: liquidation_id }}
      className="flex min-h-16 items-center gap-3 py-2"
    >
      <TokenMark asset={collateral_asset} />
      <span className="flex min-w-0 flex-1 flex-col">
        <Line
          start={<span className="font-semibold">{m.liquidation_step_ended()}</span>}
          end={<AmountText amount={steps.debt_ended} asset={lending_asset} />}
        />
        <Line
          start={<span className="text-secondary text-muted">{formatDateTime(receipt.created_at)}</span>}
          end={<AmountText amount={received} asset={collateral_asset} signed className="text-secondary text-muted" />}
        />
      </span>
      <Icon name="chevron-right" className="text-muted" />
    </Link>
  )
}
