import { Badge } from '@clearwell/ui/components/badge.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useInterruptedSwap } from '../../account/interrupted-swap.ts'
import { NextStepLink } from '../../account/next-step-link.tsx'
import { useAccount, useAccountAddress } from '../../account/use-account.ts'
import { CONFIG } from '../../api/config.samples.ts'
import { type Config, useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { forgetPayment } from '../../vault-payment/payment-record.ts'
import { ActivateWays } from './activate-ways.tsx'
import { useActiveStatus } from './activation.queries.ts'
import { activationDoneText } from './activation-benefits.ts'
import { ActivationBenefits, ActivationPrice } from './activation-offer.tsx'
import { ActivationPayment } from './activation-payment.tsx'

/** The price of activation, before the server has said it. */
const PRICE = { status: 0, price: CONFIG.fees.activation.amount, asset: CONFIG.fees.activation.asset } as const

/** The benefits and the price of activation, the ways to pay, and the progress of a payment. */
export default function ActivateScreen() {
  const config = useConfig()
  const { signedIn, user } = useAccount()
  const status = useActiveStatus({ enabled: signedIn })
  const state = user?.activated ? 2 : status.data?.status
  useForgottenPayment(status.data?.order?.order_id, state === 2)
  const wasInactive = useRef(false)
  if (state === 0 || state === 1) wasInactive.current = true

  const wasOrdered = useRef(false)
  if (status.data?.order) wasOrdered.current = true

  if (signedIn && state === 2)
    return <Activated features={config?.features ?? []} isNew={wasInactive.current} isByWallet={wasOrdered.current} />
  if (config && signedIn && status.data)
    return status.data.status === 1 && status.data.order ? (
      <ActivationPayment config={config} status={status.data} order={status.data.order} isStale={status.isError}>
        <Card>
          <ActivationPrice {...status.data} />
        </Card>
        <ActivationBenefits features={config.features} />
      </ActivationPayment>
    ) : (
      <ActivateWays config={config} status={status.data} isStale={status.isError} />
    )
  if (config && !signedIn) {
    const { amount, asset } = config.fees.activation
    return <ActivateWays config={config} status={{ status: 0, price: amount, asset }} isStale={false} />
  }
  if (!status.isError)
    return (
      <PendingScreen>
        <ActivateWays config={config ?? CONFIG} status={PRICE} isStale={false} />
      </PendingScreen>
    )
  return (
    <Screen title={m.title_swap_activate()}>
      <ErrorState error={status.error} onRetry={status.refetch} />
    </Screen>
  )
}

/** Once the account is activated, this device no longer needs the payment's record. */
function useForgottenPayment(orderId: string | undefined, activated: boolean): void {
  const account = useAccountAddress()
  const last = useRef(orderId)
  last.current = orderId ?? last.current
  useEffect(() => {
    if (activated && last.current !== undefined) forgetPayment(account, last.current)
  }, [account, activated])
}

/**
 * @param isNew true if the account was activated on this screen, and not before.
 * @param isByWallet a payment by wallet was seen on this screen: it may have been too high.
 */
function Activated({
  features,
  isNew,
  isByWallet,
}: {
  features: Config['features']
  isNew: boolean
  isByWallet: boolean
}) {
  const interrupted = useInterruptedSwap(useAccountAddress())
  return (
    <Screen
      title={m.title_swap_activate()}
      aside={<Badge tone="done">{m.activation_activated()}</Badge>}
      action={
        interrupted ? (
          <NextStepLink />
        ) : (
          <Link to="/{-$locale}/swap/exchange" className={buttonClass()}>
            {m.activation_go_swap()}
          </Link>
        )
      }
    >
      <div role="status">
        <Success isNew={isNew} title={m.activation_done()} text={activationDoneText(features)} />
        <p className="text-center text-label text-phrases text-muted">
          {isByWallet ? m.activation_done_twice() : m.activation_done_once()}
        </p>
      </div>
    </Screen>
  )
}
