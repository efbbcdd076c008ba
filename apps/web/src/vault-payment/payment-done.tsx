import { Card } from '@clearwell/ui/components/card.tsx'
import { RollingNumber } from '@clearwell/ui/components/rolling-number.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDate, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import type { ReactNode } from 'react'
import type { Config } from '../api/config.ts'
import { InstallOffer } from '../components/install-offer.tsx'
import type { ReceiptContent } from '../components/receipt-layout.ts'
import { ShareReceipt } from '../components/share-receipt.tsx'
import { m } from '../generated/messages.ts'
import type { Payment, PaymentPurpose } from './use-payment.ts'

/** The end of a payment: its amount, where the funds are now, and its receipt. */
export function PaymentDone({
  config,
  purpose,
  payment,
  isNew,
}: {
  config: Config
  purpose: PaymentPurpose
  payment: Payment
  /** `true` if it ended on this screen, and not before. */
  isNew: boolean
}) {
  const { amount, asset, texts } = purpose
  const receipt = receiptOf(config, purpose, payment)
  return (
    <>
      <div role="status">
        <Success
          isNew={isNew}
          title={
            <span className="text-total figures [overflow-wrap:anywhere]" title={`${amount} ${asset}`}>
              <RollingNumber text={formatAmount(amount)} rollsIn={isNew} />{' '}
              <span className="text-section text-muted">{asset}</span>
            </span>
          }
          text={texts.say.done}
        />
      </div>
      {receipt && <ShareReceipt receipt={receipt} />}
      {isNew && <InstallOffer />}
    </>
  )
}

/** The steps of a payment that is over, folded: only a doubt makes anyone read them. */
export function FoldedSteps({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Card className="py-0">
      <details className="group">
        <summary className="flex min-h-13 cursor-pointer list-none items-center justify-between gap-3 [&::-webkit-details-marker]:hidden">
          {label}
          <Icon name="chevron-right" className="text-muted transition-transform group-open:rotate-90" />
        </summary>
        <div className="pt-1 pb-4">{children}</div>
      </details>
    </Card>
  )
}

/** `undefined` for a purpose without a receipt. */
function receiptOf(
  config: Config,
  { done, asset, amount, order, orderId }: PaymentPurpose,
  { record }: Payment,
): ReceiptContent | undefined {
  if (!done) return undefined
  const hash = order?.tx_hash ?? record?.hash
  const time = order?.created_at
  const signed = formatAmount(done.isOut ? `-${amount}` : amount, { decimals: 18, signed: true })
  return {
    title: done.receipt,
    amounts: [{ amount: signed, asset }],
    facts: [
      ...(time ? [{ label: m.payment_time(), value: `${formatDate(time)} ${formatTime(time)}` }] : []),
      { label: m.payment_network(), value: config.chain.name },
      ...(hash ? [{ label: m.payment_hash(), value: hash, isCode: true }] : []),
      { label: m.payment_order(), value: orderId, isCode: true },
    ],
    fileName: `clearwell-${done.isOut ? 'transfer-out' : 'transfer-in'}-${(time ?? orderId).slice(0, 10)}.png`,
  }
}
