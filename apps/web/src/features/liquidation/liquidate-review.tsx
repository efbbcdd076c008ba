import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { FootRow, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { Problem, Waiting, Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { shortHex } from '@clearwell/ui/i18n/format.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { type ReactNode, useState } from 'react'
import { m } from '../../generated/messages.ts'
import { Confirm, Fund, useFunds } from './liquidate-stages.tsx'
import { type LiquidationOrder, useServerNowMs } from './liquidation.queries.ts'
import { amountText } from './liquidation-refusal.ts'
import type { LiquidationTerms } from './liquidation-terms.ts'
import { PriceWithAge } from './order-card.tsx'

/** The chosen part, its terms in words, and the button that sends them. */
export function Review({
  order,
  choice,
  terms,
  isSending,
  isRetrying,
  onConfirm,
  onClose,
}: {
  order: LiquidationOrder
  /** Chooses the part; absent once it is sent. */
  choice: ReactNode
  /** `undefined` while money has no price, and for an amount that is not allowed. */
  terms: LiquidationTerms | undefined
  isSending: boolean
  isRetrying: boolean
  onConfirm: (terms: LiquidationTerms) => void
  onClose: () => void
}) {
  const [isOffline, setOffline] = useState(false)
  const { available, missing } = useFunds(order, terms)

  function send(next: LiquidationTerms): void {
    setOffline(!navigator.onLine)
    if (navigator.onLine) onConfirm(next)
  }

  return (
    <>
      {order.reason === 'overdue' && <p className="text-secondary text-muted">{m.liquidation_overdue_text()}</p>}
      {choice}
      {terms ? <p>{words(order, terms)}</p> : order.price === null && <Problem text={m.liquidation_stale_text()} />}
      {terms?.isShort && <Warning text={m.liquidation_short_text()} />}
      <FactList facts={reviewFacts(order, terms, available)} />
      <p className="text-secondary text-muted">
        {sentences(
          m.liquidation_first_wins(),
          m.liquidation_price_risk(),
          ...(terms?.amount === undefined ? [] : [m.liquidation_rest_stays()]),
        )}
      </p>
      <SheetFoot>
        {isSending && isRetrying && <Waiting text={m.liquidation_trying_again()} />}
        {isOffline && !isSending && <Problem text={m.liquidation_offline()} />}
        {missing !== undefined && !isSending ? (
          <Fund order={order} missing={missing} />
        ) : (
          <FootRow>
            {terms && <Confirm terms={terms} isSending={isSending} label={m.liquidation_action()} onConfirm={send} />}
            {(!isSending || isRetrying) && (
              <Button look="quiet" onClick={onClose}>
                {isSending ? m.app_close() : m.app_cancel()}
              </Button>
            )}
          </FootRow>
        )}
      </SheetFoot>
    </>
  )
}

function words({ collateral_asset, lending_asset }: LiquidationOrder, terms: LiquidationTerms): string {
  const values = {
    paid: amountText(terms.paid, lending_asset),
    received: amountText(terms.received, collateral_asset),
    worth: amountText(terms.worth, lending_asset),
  }
  if (terms.amount === undefined) return m.liquidation_words(values)
  return m.liquidation_words_part({ ...values, ended: amountText(terms.ended, lending_asset) })
}

function reviewFacts(order: LiquidationOrder, terms: LiquidationTerms | undefined, available: string | undefined) {
  const { lending_asset: lending } = order
  return [
    ...(terms ? termFacts(order, terms) : []),
    { label: m.liquidation_price(), value: <LivePrice order={order} /> },
    ...(available === undefined
      ? []
      : [{ label: m.liquidation_available(), value: <AmountText amount={available} asset={lending} /> }]),
    {
      label: m.liquidation_order_id(),
      value: <span className="font-mono text-label">{shortHex(order.order_id)}</span>,
    },
    {
      label: m.liquidation_user_address(),
      value: <span className="font-mono text-label">{shortHex(order.user_address)}</span>,
    },
  ]
}

function termFacts({ collateral_asset, lending_asset }: LiquidationOrder, terms: LiquidationTerms) {
  const lending = (amount: string) => <AmountText amount={amount} asset={lending_asset} />
  return [
    { label: m.liquidation_pay_most(), value: lending(terms.paidAtMost) },
    {
      label: m.liquidation_receive_least(),
      value: <AmountText amount={terms.minReceived} asset={collateral_asset} />,
    },
    {
      label: m.liquidation_estimated_profit(),
      value: <AmountText amount={terms.profit} asset={lending_asset} signed />,
    },
    ...(terms.amount === undefined ? [] : [{ label: m.liquidation_rest(), value: lending(terms.rest) }]),
  ]
}

function LivePrice({ order }: { order: LiquidationOrder }) {
  return <PriceWithAge order={order} nowMs={useServerNowMs(order.time)} />
}
