import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { BALANCES_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { SheetFoot } from '../../components/sheet.tsx'
import { ConfirmButton, Problem, Waiting, Warning } from '../../components/stage-parts.tsx'
import { Success } from '../../components/success.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { shortHex } from '../../i18n/format.ts'
import { sentences } from '../../i18n/sentences.ts'
import { useWallet } from '../../wallet/wallet.ts'
import { type LiquidationOrder, type LiquidationResult, useServerNowMs } from './liquidation.queries.ts'
import { amountText, type Refused } from './liquidation-refusal.ts'
import { type LiquidationTerms, missingOf, roundUp, termsAtDebt, termsOf } from './liquidation-terms.ts'
import { PriceWithAge } from './order-card.tsx'

/** The terms in words, and the button that sends them. */
export function Review({
  order,
  terms,
  isSending,
  isRetrying,
  onConfirm,
  onClose,
}: {
  order: LiquidationOrder
  /** `undefined` while the price is out of date. */
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
      {terms ? <p>{words(order, terms)}</p> : <Problem text={m.liquidation_stale_text()} />}
      <FactList facts={reviewFacts(order, terms, available)} />
      <p className="text-secondary text-muted">{sentences(m.liquidation_first_wins(), m.liquidation_price_risk())}</p>
      <SheetFoot>
        {isSending && isRetrying && <Waiting text={m.liquidation_trying_again()} />}
        {isOffline && !isSending && <Problem text={m.liquidation_offline()} />}
        {missing !== undefined && !isSending ? (
          <Fund order={order} missing={missing} />
        ) : (
          terms && <Confirm terms={terms} isSending={isSending} label={m.liquidation_action()} onConfirm={send} />
        )}
        {(!isSending || isRetrying) && (
          <Button look="quiet" onClick={onClose}>
            {isSending ? m.app_close() : m.app_cancel()}
          </Button>
        )}
      </SheetFoot>
    </>
  )
}

/** The server refused. Nothing moved; the next step depends on the reason. */
export function RefusedStage({
  order,
  refused,
  onConfirm,
  onBack,
  onClose,
}: {
  order: LiquidationOrder
  refused: Refused
  onConfirm: (terms: LiquidationTerms) => void
  onBack: () => void
  onClose: () => void
}) {
  const raised = refused.debt === undefined ? undefined : termsAtDebt(order, refused.debt)
  const { missing } = useFunds(order, raised ?? termsOf(order))
  return (
    <>
      <Problem text={refused.text} />
      <SheetFoot>
        {refused.next === 'others' && <Button onClick={onClose}>{m.liquidation_find_others()}</Button>}
        {refused.next === 'again' && <Button onClick={onBack}>{m.app_retry()}</Button>}
        {refused.next === 'fund' && <Fund order={order} missing={missing} />}
        {refused.next === 'activate' && <GatedButton needs="activation">{m.app_retry()}</GatedButton>}
        {refused.next === 'accept' && raised && (
          <Confirm
            terms={raised}
            isSending={false}
            label={m.liquidation_moved_accept({ max: amountText(raised.maxDebt, order.lending_asset) })}
            onConfirm={onConfirm}
          />
        )}
        {refused.next !== 'others' && (
          <Button look="quiet" onClick={onClose}>
            {m.app_close()}
          </Button>
        )}
      </SheetFoot>
    </>
  )
}

/** The order left the market before the user confirmed. */
export function LeftMarket({ onClose }: { onClose: () => void }) {
  return (
    <>
      <Problem text={m.liquidation_gone_text()} />
      <SheetFoot>
        <Button onClick={onClose}>{m.liquidation_find_others()}</Button>
      </SheetFoot>
    </>
  )
}

/** No response came. Sending it again under the same key tells the outcome and does nothing twice. */
export function Lost({ onCheck, onClose }: { onCheck: () => void; onClose: () => void }) {
  return (
    <>
      <Problem text={m.liquidation_lost_text()} />
      <SheetFoot>
        <Button icon="refresh-cw" onClick={onCheck}>
          {m.liquidation_check_again()}
        </Button>
        <Button look="quiet" onClick={onClose}>
          {m.app_close()}
        </Button>
      </SheetFoot>
    </>
  )
}

/** The moment after a liquidation: the collateral that arrived, its cost, and a link to the receipt. */
export function Done({
  order,
  result,
  onClose,
}: {
  order: LiquidationOrder
  result: LiquidationResult
  onClose: () => void
}) {
  const { collateral_asset: collateral, lending_asset: lending } = order
  return (
    <>
      <div role="status">
        <Success
          title={<AmountText amount={result.received} asset={collateral} signed className="whitespace-normal" />}
          text={m.liquidation_done_text({
            paid: amountText(result.paid, lending),
            profit: amountText(result.profit, lending),
          })}
        />
      </div>
      <SheetFoot>
        <Link to="/{-$locale}/stake/receipt" search={{ order: order.order_id }} className={buttonClass()}>
          {m.liquidation_see_receipt()}
        </Link>
        <Button look="quiet" onClick={onClose}>
          {m.liquidation_close()}
        </Button>
      </SheetFoot>
    </>
  )
}

/** The button that confirms, or the step that is missing before it. */
function Confirm({
  terms,
  isSending,
  label,
  onConfirm,
}: {
  terms: LiquidationTerms
  isSending: boolean
  label: string
  onConfirm: (terms: LiquidationTerms) => void
}) {
  const { signedIn, user } = useAccount()
  const { wrongNetwork } = useWallet()
  if (!signedIn || wrongNetwork || user?.activated === false)
    return <GatedButton needs="activation">{label}</GatedButton>
  return (
    // The figures grow with every poll, so only the order and its sheet have to be seen for a moment.
    <ConfirmButton confirms={label} label={label} busy={isSending} onPress={() => onConfirm(terms)} />
  )
}

/** The balance is too low: how to raise it. */
function Fund({ order: { lending_asset: asset }, missing }: { order: LiquidationOrder; missing: string | undefined }) {
  const amount = missing && roundUp(missing)
  return (
    <>
      <Warning
        title={m.liquidation_balance()}
        text={amount && m.liquidation_missing({ missing: amountText(amount, asset) })}
      />
      <Link
        to="/{-$locale}/wallet/buy"
        search={amount === undefined ? { asset } : { asset, amount }}
        className={buttonClass()}
      >
        {m.liquidation_transfer_in({ asset })}
      </Link>
      <Link
        to="/{-$locale}/swap/exchange"
        search={{ pair: 'BNBUSDT', sell: asset === 'USDT' ? 'BNB' : 'USDT' }}
        className={buttonClass('quiet')}
      >
        {m.liquidation_swap_for({ asset })}
      </Link>
    </>
  )
}

/** The user's available balance of the lent asset, and how much of the debt it lacks. */
function useFunds({ lending_asset }: LiquidationOrder, terms: LiquidationTerms | undefined) {
  const { data } = useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS })
  const available = data?.find(({ asset }) => asset === lending_asset)?.available
  const missing = available === undefined || !terms ? undefined : missingOf(terms.paid, available)
  return { available, missing }
}

function words({ collateral_asset, lending_asset }: LiquidationOrder, terms: LiquidationTerms): string {
  const values = {
    max: amountText(terms.maxDebt, lending_asset),
    received: amountText(terms.received, collateral_asset),
    worth: amountText(terms.worth, lending_asset),
  }
  return terms.isShort
    ? m.liquidation_words_short({ ...values, paid: amountText(terms.paid, lending_asset) })
    : m.liquidation_words(values)
}

function reviewFacts(order: LiquidationOrder, terms: LiquidationTerms | undefined, available: string | undefined) {
  const { collateral_asset: collateral, lending_asset: lending } = order
  return [
    ...(terms
      ? [
          { label: m.liquidation_pay_most(), value: <AmountText amount={terms.maxDebt} asset={lending} /> },
          {
            label: m.liquidation_receive(),
            value: m.liquidation_about({ amount: amountText(terms.received, collateral) }),
          },
        ]
      : []),
    {
      label: m.liquidation_estimated_profit(),
      value:
        order.estimated_profit === null ? (
          m.liquidation_stale()
        ) : (
          <AmountText amount={order.estimated_profit} asset={lending} signed />
        ),
    },
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

function LivePrice({ order }: { order: LiquidationOrder }) {
  return <PriceWithAge order={order} nowMs={useServerNowMs(order.time)} />
}
