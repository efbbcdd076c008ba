import { cx } from '@clearwell/ui/browser/cx.ts'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import type { ReactNode } from 'react'
import { m } from '../generated/messages.ts'
import { useWallet } from '../wallet/wallet.ts'
import type { PayWay } from './pay-way.ts'

/** The wallet's requests for a payment into the vault, in order, before the wallet opens. */
export function PaymentAsks({ way, amount }: { way: PayWay | undefined; amount: string }) {
  return (
    <ol className="flex flex-col gap-4">
      {way !== 'native' && <AskAllowance way={way} amount={amount} />}
      <Ask number={way === 'native' ? 1 : 2} title={m.payment_send()}>
        {m.payment_send_text({ amount })}
      </Ask>
    </ol>
  )
}

function AskAllowance({ way, amount }: { way: PayWay | undefined; amount: string }) {
  const { status } = useWallet()
  if (way === undefined && status === 'connected')
    return (
      <Ask number={1} title={m.payment_approve()} quiet>
        <Pending>{m.payment_approve_text({ amount })}</Pending>
      </Ask>
    )
  if (way === 'permit')
    return (
      <Ask number={1} title={m.payment_permit()}>
        {m.payment_permit_text({ amount })}
      </Ask>
    )
  if (way === 'allowed')
    return (
      <Ask number={1} title={m.payment_approve()} quiet>
        {m.payment_approve_skip({ amount })}
      </Ask>
    )
  return (
    <Ask number={1} title={m.payment_approve()}>
      {m.payment_approve_text({ amount })}
    </Ask>
  )
}

/** One step of a list, with its explanation. */
export function Ask({
  number,
  title,
  quiet = false,
  children,
}: {
  number: number
  title: string
  quiet?: boolean
  children: ReactNode
}) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className={cx(
          'figures flex size-6 shrink-0 items-center justify-center rounded-full border text-label',
          quiet ? 'border-line text-muted' : 'border-accent text-accent',
        )}
      >
        {number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h3 className={cx('font-semibold', quiet && 'text-muted')}>{title}</h3>
        <div className="text-muted">{children}</div>
      </div>
    </li>
  )
}
