import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Link } from '@tanstack/react-router'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { CONFIG } from '../../api/config.samples.ts'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { PaymentScreen } from '../../vault-payment/payment-screen.tsx'
import { TransferInPayment } from './transfer-in-payment.tsx'
import { TransferOutPayment } from './transfer-out-payment.tsx'
import { useTransferRecords, useTransfersIn, useTransfersOut } from './wallet.queries.ts'
import { PAYMENT, samplePurpose } from './wallet.samples.ts'

const POLL_MS = 1_000
const POLL_DONE_MS = 15_000

/** The transfer to show; without an order, the newest one. */
export interface ShownTransfer {
  readonly order?: string
  readonly way?: 'out'
}

/** `?order=…` shows a transfer in, with `&way=out` a transfer out. */
function readShown({ order, way }: Record<string, unknown>): ShownTransfer {
  return {
    ...(typeof order === 'string' ? { order } : {}),
    ...(way === 'out' ? { way } : {}),
  }
}

/** A transfer's third step: its progress between the wallet and the balance. */
export default function SendTransactionScreen() {
  const { signedIn } = useAccount()
  const shown = useReadSearch(readShown)
  if (signedIn) return <Shown shown={shown} />
  return (
    <Screen title={m.title_wallet_send_transaction()}>
      <SignedOut title={m.wallet_transfers_signed_out()} />
    </Screen>
  )
}

function Shown({ shown }: { shown: ShownTransfer }) {
  const records = useTransferRecords()
  const newest = records[0]
  if (shown.order !== undefined) return shown.way === 'out' ? <Out id={shown.order} /> : <In id={shown.order} />
  if (newest) return newest.transfer?.out ? <Out id={newest.orderId} /> : <In id={newest.orderId} />
  return <Newest />
}

/** The newest in either direction, where this device made none. */
function Newest() {
  const transfersIn = useTransfersIn({ pollMs: POLL_DONE_MS })
  const transfersOut = useTransfersOut({ pollMs: POLL_DONE_MS })
  const [newestIn, newestOut] = [transfersIn.data?.items[0], transfersOut.data?.items[0]]
  if (newestOut && (!newestIn || newestOut.created_at > newestIn.created_at)) return <Out id={newestOut.order_id} />
  if (newestIn) return <In id={newestIn.order_id} />
  const failed = transfersIn.isError ? transfersIn : transfersOut
  return (
    <Missing
      isPending={transfersIn.isPending || transfersOut.isPending}
      error={failed.error}
      onRetry={failed.refetch}
    />
  )
}

function In({ id }: { id: string }) {
  const config = useConfig()
  const record = useTransferRecords().find(({ orderId }) => orderId === id)
  const orders = useTransfersIn({ pollMs: POLL_MS })
  const order = orders.data?.items.find((each) => each.order_id === id)
  if (config && (order || record))
    return (
      <TransferInPayment key={id} config={config} order={order} record={record} orderId={id} isStale={orders.isError} />
    )
  return <Missing isPending={orders.isPending} error={orders.error} onRetry={orders.refetch} />
}

function Out({ id }: { id: string }) {
  const config = useConfig()
  const record = useTransferRecords().find(({ orderId }) => orderId === id)
  const orders = useTransfersOut({ pollMs: POLL_MS })
  const order = orders.data?.items.find((each) => each.order_id === id)
  if (config && (order || record))
    return (
      <TransferOutPayment
        key={id}
        config={config}
        order={order}
        record={record}
        orderId={id}
        isStale={orders.isError}
      />
    )
  return <Missing isPending={orders.isPending} error={orders.error} onRetry={orders.refetch} />
}

/** The transfer is loading, failed to load, or does not exist. */
function Missing({ isPending, error, onRetry }: { isPending: boolean; error: Error | null; onRetry: () => unknown }) {
  if (isPending)
    return (
      <PendingScreen>
        <PaymentScreen config={CONFIG} purpose={samplePurpose()} payment={PAYMENT} onPay={() => {}} />
      </PendingScreen>
    )
  return (
    <Screen title={m.title_wallet_send_transaction()}>
      {error ? (
        <ErrorState error={error} onRetry={onRetry} />
      ) : (
        <EmptyState
          icon="arrow-left-right"
          title={m.wallet_no_transfer()}
          text={m.wallet_no_transfer_text()}
          action={
            <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
              {m.wallet_transfer_in()}
            </Link>
          }
        />
      )}
    </Screen>
  )
}
