import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AssetList, PlaceList } from './asset-list.tsx'
import { Faucet } from './faucet-button.tsx'
import { LogRow } from './log-row.tsx'
import { isUnderWay, OrderRow } from './order-row.tsx'
import { TotalValue } from './total-value.tsx'
import { useTransferRecords } from './transfer-record.ts'
import { useBuyOrders } from './wallet.queries.ts'

const RetrieveSheet = lazy(() => import('./retrieve-sheet.tsx'))

const BALANCES_POLL_MS = 5_000
const ORDERS_POLL_MS = 3_000
const LATEST = 4

/** What one holds, where it stands, and the ways in and out. `activation` stands under the assets until it is done. */
export function WalletScreen({ activation }: { activation?: ReactNode }) {
  const { signedIn, user } = useAccount()
  return (
    <Screen
      title={m.nav_my_wallet()}
      aside={
        user &&
        (user.activated ? (
          <Badge tone="accent">{m.wallet_activated()}</Badge>
        ) : (
          <Badge tone="warn">{m.wallet_inactive()}</Badge>
        ))
      }
      action={
        signedIn && (
          <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
            <Icon name="arrow-down-to-line" />
            {m.wallet_transfer_in()}
          </Link>
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
                <UnderWay />
              </>
            }
          />
          {activation}
          <LatestEntries />
        </>
      )}
      <Faucet />
    </Screen>
  )
}

/** By place, then the ways on, then asset by asset. Where balances cannot be read the total says so and retries. */
function Balances({ between }: { between: ReactNode }) {
  const balances = useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS })
  const failed = balances.isError && !balances.data
  return (
    <>
      {failed ? null : <PlaceList balances={balances.data} />}
      {between}
      {failed ? null : <AssetList balances={balances.data} />}
    </>
  )
}

function Ways() {
  const [retrieving, setRetrieving] = useState(false)
  return (
    <nav aria-label={m.wallet_actions()} className="grid grid-cols-4 gap-2">
      <Link to="/{-$locale}/wallet/sell" className={WAY}>
        <WayFace icon="arrow-up-from-line" label={m.wallet_transfer_out()} />
      </Link>
      <Link to="/{-$locale}/wallet/buyOrder" className={WAY}>
        <WayFace icon="receipt-text" label={m.wallet_orders_short()} />
      </Link>
      <Link to="/{-$locale}/wallet/logs" className={WAY}>
        <WayFace icon="history" label={m.wallet_log()} />
      </Link>
      <button type="button" aria-haspopup="dialog" onClick={() => setRetrieving(true)} className={WAY}>
        <WayFace icon="search" label={m.wallet_retrieve()} />
      </button>
      <Suspense>{retrieving && <RetrieveSheet onClose={() => setRetrieving(false)} />}</Suspense>
    </nav>
  )
}

const WAY =
  'flex min-h-20 flex-col items-center justify-start gap-2 rounded-card border border-line bg-card px-1 py-3 text-center text-label transition-colors hover:border-accent'

function WayFace({ icon, label }: { icon: IconName; label: string }) {
  return (
    <>
      <Icon name={icon} className="text-accent" />
      {label}
    </>
  )
}

/** Transfers that are not over, so that none is forgotten. */
function UnderWay() {
  const orders = useBuyOrders({ pollMs: ORDERS_POLL_MS })
  const records = useTransferRecords()
  const recordOf = (id: string) => records.find(({ orderId }) => orderId === id)
  const open = orders.data?.items.filter((order) => isUnderWay(order, recordOf(order.order_id))) ?? []
  if (open.length === 0) return null
  return (
    <Card title={m.wallet_under_way()}>
      <ul className="-my-2 flex flex-col divide-y divide-line">
        {open.slice(0, 3).map((order) => (
          <li key={order.order_id}>
            <OrderRow order={order} record={recordOf(order.order_id)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function LatestEntries() {
  const logs = useCall('logs', { limit: LATEST })
  return (
    <Card
      title={m.wallet_latest()}
      action={
        <Link to="/{-$locale}/wallet/logs" className="-my-3 inline-flex min-h-11 items-center text-accent">
          {m.wallet_see_all()}
        </Link>
      }
    >
      {logs.data ? (
        logs.data.items.length === 0 ? (
          <p className="text-muted">{m.wallet_logs_empty_text()}</p>
        ) : (
          <ul className="-my-2 flex flex-col divide-y divide-line">
            {logs.data.items.map((entry) => (
              <LogRow key={entry.id} entry={entry} time="date" />
            ))}
          </ul>
        )
      ) : logs.isError ? (
        <ErrorState error={logs.error} onRetry={logs.refetch} />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-2">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </div>
      )}
    </Card>
  )
}
