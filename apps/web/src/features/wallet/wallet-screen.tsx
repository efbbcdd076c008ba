import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { BALANCES_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { Screen } from '../../components/screen.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { Icon, type IconName } from '../../icons/icon.tsx'
import { AssetList, BalanceValues } from './asset-list.tsx'
import { Faucet } from './faucet-button.tsx'
import { TotalValue } from './total-value.tsx'
import { isInProgress, isLocked, TransferInRow, TransferOutRow } from './transfer-row.tsx'
import { useTransferRecords, useTransfersIn, useTransfersOut } from './wallet.queries.ts'

const RetrieveSheet = lazySheet(() => import('../../vault-payment/retrieve-sheet.tsx'))

const ORDERS_POLL_MS = 3_000
const MAX_PENDING_SHOWN = 3

/**
 * The account's value and its parts, and transfers in and out. `activation` is shown below the assets until it is done,
 * `latest` are the newest entries of the balance log.
 */
export function WalletScreen({ activation, latest }: { activation?: ReactNode; latest?: ReactNode }) {
  const { signedIn, user } = useAccount()
  return (
    <Screen
      title={m.nav_my_wallet()}
      aside={
        user &&
        (user.activated ? <Badge tone="done">{m.wallet_activated()}</Badge> : <Badge>{m.wallet_inactive()}</Badge>)
      }
      action={
        signedIn && (
          <div className="grid grid-cols-2 gap-2">
            <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
              <Icon name="arrow-down-to-line" />
              {m.wallet_transfer_in()}
            </Link>
            <Link to="/{-$locale}/wallet/sell" className={buttonClass('quiet')}>
              <Icon name="arrow-up-from-line" />
              {m.wallet_transfer_out()}
            </Link>
          </div>
        )
      }
    >
      <TotalValue />
      {signedIn && (
        <>
          <Balances
            between={
              <>
                <Ways />
                <PendingTransfers />
              </>
            }
          />
          {activation}
          {latest}
        </>
      )}
      <Faucet />
    </Screen>
  )
}

/** Shows the parts, then the links, then assets. If balances fail to load, the total reports it and retries. */
function Balances({ between }: { between: ReactNode }) {
  const balances = useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS })
  const failed = balances.isError && !balances.data
  return (
    <>
      {failed ? null : <BalanceValues balances={balances.data} />}
      {between}
      {failed ? null : <AssetList balances={balances.data} />}
    </>
  )
}

function Ways() {
  const [retrieving, setRetrieving] = useState(false)
  return (
    <nav aria-label={m.wallet_actions()} className="grid grid-cols-2 gap-2">
      <Link to="/{-$locale}/wallet/buyOrder" className={WAY}>
        <WayFace icon="receipt-text" label={m.wallet_out_in_orders()} />
      </Link>
      <Link to="/{-$locale}/wallet/sellOrder" className={WAY}>
        <WayFace icon="arrow-up-from-line" label={m.wallet_out_out_orders()} />
      </Link>
      <Link to="/{-$locale}/wallet/logs" className={WAY}>
        <WayFace icon="history" label={m.wallet_log()} />
      </Link>
      <button type="button" aria-haspopup="dialog" onClick={() => setRetrieving(true)} className={WAY}>
        <WayFace icon="search" label={m.wallet_retrieve()} />
      </button>
      {retrieving && <RetrieveSheet onClose={() => setRetrieving(false)} />}
    </nav>
  )
}

const WAY =
  'flex min-h-12 items-center justify-center gap-2 rounded-card border border-line bg-surface px-3 py-2 text-center text-label transition-colors hover:border-accent'

function WayFace({ icon, label }: { icon: IconName; label: string }) {
  return (
    <>
      <Icon name={icon} className="text-accent" />
      {label}
    </>
  )
}

/** Open transfers: those that need the user first, then the newest. */
function PendingTransfers() {
  const transfersIn = useTransfersIn({ pollMs: ORDERS_POLL_MS })
  const transfersOut = useTransfersOut({ pollMs: ORDERS_POLL_MS })
  const records = useTransferRecords()
  const recordOf = (id: string) => records.find(({ orderId }) => orderId === id)
  const outs = (transfersOut.data?.items ?? []).filter(isLocked)
  const ins = (transfersIn.data?.items ?? []).filter((order) => isInProgress(order, recordOf(order.order_id)))
  if (outs.length + ins.length === 0) return null
  return (
    <Card title={m.wallet_in_progress()}>
      <ul className="-my-2 flex flex-col divide-y divide-line">
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
    </Card>
  )
}
