import { Section } from '@clearwell/ui/components/card.tsx'
import { m } from '../../generated/messages.ts'
import { isInProgress, isLocked, TransferInRow, TransferOutRow } from './transfer-row.tsx'
import { useTransferRecords, useTransfersIn, useTransfersOut } from './wallet.queries.ts'

const ORDERS_POLL_MS = 3_000
const MAX_PENDING_SHOWN = 3

/** Open transfers with their progress: those that need the user first, then the newest. */
export default function PendingTransfers() {
  const transfersIn = useTransfersIn({ pollMs: ORDERS_POLL_MS })
  const transfersOut = useTransfersOut({ pollMs: ORDERS_POLL_MS })
  const records = useTransferRecords()
  const recordOf = (id: string) => records.find(({ orderId }) => orderId === id)
  const outs = (transfersOut.data?.items ?? []).filter(isLocked)
  const ins = (transfersIn.data?.items ?? []).filter((order) => isInProgress(order, recordOf(order.order_id)))
  if (outs.length + ins.length === 0) return null
  return (
    <Section title={m.wallet_in_progress()}>
      <ul className="flex flex-col divide-y divide-line">
        {outs.slice(0, MAX_PENDING_SHOWN).map((order) => (
          <li key={order.order_id}>
            <TransferOutRow order={order} record={recordOf(order.order_id)} showsWay />
          </li>
        ))}
        {ins.slice(0, MAX_PENDING_SHOWN).map((order) => (
          <li key={order.order_id}>
            <TransferInRow order={order} record={recordOf(order.order_id)} showsWay />
          </li>
        ))}
      </ul>
    </Section>
  )
}
