import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { type ReactNode, useEffect, useState } from 'react'
import { useAccountAddress } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { useAvailable } from '../../vault-payment/payment-assets.ts'
import { PaymentScreen } from '../../vault-payment/payment-screen.tsx'
import { isInProgress } from '../../vault-payment/payment-state.ts'
import { RetrieveButton } from '../../vault-payment/retrieve-button.tsx'
import { usePayment } from '../../vault-payment/use-payment.ts'
import type { ActivationOrder, ActiveStatus } from './activation.queries.ts'
import { activationPurpose, payActivation } from './pay-activation.ts'

const ByWalletSheet = lazySheet(() => import('./by-wallet-sheet.tsx'))
const ByBalanceSheet = lazySheet(() => import('./by-balance-sheet.tsx'))
const RetrieveSheet = lazySheet(() => import('./retrieve-activation-sheet.tsx'))

/** The payment of an activation order. Once it is sent it needs no further action. */
export function ActivationPayment({
  config,
  status,
  order,
  isStale,
  children,
}: {
  config: Config
  status: ActiveStatus
  order: ActivationOrder
  isStale: boolean
  children: ReactNode
}) {
  const [confirming, setConfirming] = useState<'wallet' | 'balance'>()
  const account = useAccountAddress()
  const purpose = activationPurpose(account, order, config)
  const payment = usePayment(purpose)
  const { state, run, record } = payment
  const available = useAvailable(order.asset)
  const isBusy = isInProgress(state)
  const mayBePaid = record?.hash !== undefined || record?.asked === true || order.credited !== undefined
  const close = () => setConfirming(undefined)
  useWarnOnLeaving(isBusy && run?.isRunning === true)
  // The page before may be scrolled down; the progress is at the top.
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])

  return (
    <PaymentScreen
      config={config}
      purpose={purpose}
      payment={payment}
      onPay={() => (state === 'stopped' ? payActivation(account, order, config) : setConfirming('wallet'))}
      notes={<Notes order={order} isBusy={isBusy} />}
      aside={
        <span className="flex gap-2">
          {isStale && <Badge tone="warning">{m.ui_stale()}</Badge>}
          <Badge tone="pending">{m.activation_status_pending()}</Badge>
        </span>
      }
    >
      {children}
      {!isBusy && (
        <Button look="quiet" onClick={() => setConfirming('balance')}>
          {m.activation_by_balance_action()}
        </Button>
      )}
      <RetrieveButton sheet={RetrieveSheet} />
      {confirming === 'wallet' && (
        <ByWalletSheet
          config={config}
          price={{ price: order.amount, asset: order.asset }}
          order={order}
          onClose={close}
        />
      )}
      {confirming === 'balance' && (
        <ByBalanceSheet price={status} available={available} isPaidByWallet={mayBePaid} onClose={close} />
      )}
    </PaymentScreen>
  )
}

function Notes({ order, isBusy }: { order: ActivationOrder; isBusy: boolean }) {
  const { status, credited, amount, asset } = order
  const text = (units: string) => `${formatAmount(units, { decimals: 18 })} ${asset}`
  return (
    <>
      {status === 'created' && credited !== undefined && (
        <p role="status" className="text-warn">
          {m.activation_part({ credited: text(credited), amount: text(amount) })}
        </p>
      )}
      {isBusy && (
        <p role="status" className="flex gap-2 text-warn">
          <Icon name="triangle-alert" />
          {m.activation_wait_tip()}
        </p>
      )}
    </>
  )
}

/** The browser asks before the page closes, as the wallet's response would be lost. */
function useWarnOnLeaving(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isActive])
}
