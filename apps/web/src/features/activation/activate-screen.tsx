import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useAccount, useAccountAddress } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Screen } from '../../components/screen.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { Icon } from '../../icons/icon.tsx'
import { forgetPayment } from '../../vault-payment/payment-record.ts'
import { ActivateWays } from './activate-ways.tsx'
import { type ActiveStatus, useActiveStatus } from './activation.queries.ts'
import { ActivationPayment } from './activation-payment.tsx'

/** The benefits and the price of activation, the ways to pay, and the progress of a payment. */
export function ActivateScreen() {
  const config = useConfig()
  const { signedIn, user } = useAccount()
  const status = useActiveStatus({ enabled: signedIn })
  const state = user?.activated ? 2 : status.data?.status
  useForgottenPayment(status.data?.order?.order_id, state === 2)

  if (signedIn && state === 2) return <Activated />
  if (config && signedIn && status.data)
    return status.data.status === 1 && status.data.order ? (
      <ActivationPayment config={config} status={status.data} order={status.data.order} isStale={status.isError}>
        <Benefits price={status.data} />
      </ActivationPayment>
    ) : (
      <ActivateWays config={config} status={status.data} isStale={status.isError}>
        <Benefits price={status.data} />
      </ActivateWays>
    )
  if (config && !signedIn) {
    const { amount, asset } = config.fees.activation
    const price = { price: amount, asset }
    return (
      <ActivateWays config={config} status={{ status: 0, ...price }} isStale={false}>
        <Benefits price={price} />
      </ActivateWays>
    )
  }
  return (
    <Screen title={m.title_swap_activate()}>
      {status.isError ? (
        <ErrorState error={status.error} onRetry={status.refetch} />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-4">
          <Skeleton className="h-64" />
          <Skeleton className="h-40" />
        </div>
      )}
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

function Benefits({ price }: { price: Pick<ActiveStatus, 'price' | 'asset'> }) {
  const gives = [
    m.activation_gives_swap(),
    m.activation_gives_stake(),
    m.activation_gives_box(),
    m.activation_gives_rich(),
  ]
  return (
    <Card className="flex flex-col gap-3">
      <p className="flex items-baseline justify-between gap-3">
        <span className="text-muted">{m.activation_price()}</span>
        <AmountText amount={price.price} asset={price.asset} className="text-display" />
      </p>
      <p className="text-label text-muted">{m.activation_price_text()}</p>
      <ul aria-label={m.activation_gives()} className="flex flex-col gap-2 border-t border-line pt-3">
        {gives.map((text) => (
          <li key={text} className="flex gap-2">
            <Icon name="check" className="text-accent" />
            {text}
          </li>
        ))}
      </ul>
      <p className="text-label text-muted">{m.activation_not_needed()}</p>
    </Card>
  )
}

function Activated() {
  return (
    <Screen
      title={m.title_swap_activate()}
      aside={<Badge tone="up">{m.activation_activated()}</Badge>}
      action={
        <Link to="/{-$locale}/swap/exchange" className={buttonClass()}>
          {m.activation_go_swap()}
        </Link>
      }
    >
      <div role="status">
        <EmptyState icon="circle-check" title={m.activation_done()} text={m.activation_done_text()} />
        <p className="text-center text-label text-balance text-muted">{m.activation_done_twice()}</p>
      </div>
    </Screen>
  )
}
