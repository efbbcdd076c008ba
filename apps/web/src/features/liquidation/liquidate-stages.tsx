import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { ConfirmButton, Problem, Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Link } from '@tanstack/react-router'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { BALANCES_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { useWallet } from '../../wallet/wallet.ts'
import type { LiquidationOrder, LiquidationResult } from './liquidation.queries.ts'
import { amountText, type Refused, restText } from './liquidation-refusal.ts'
import { type LiquidationTerms, missingOf, roundUp, termsAtDebt } from './liquidation-terms.ts'

/** The server refused. Nothing moved; the next step depends on the reason. */
export function RefusedStage({
  order,
  terms,
  refused,
  onConfirm,
  onBack,
  onClose,
}: {
  order: LiquidationOrder
  /** Those that were sent. */
  terms: LiquidationTerms
  refused: Refused
  onConfirm: (terms: LiquidationTerms) => void
  onBack: () => void
  onClose: () => void
}) {
  const raised = refused.debt === undefined ? undefined : termsAtDebt(terms, refused.debt)
  const { missing } = useFunds(order, raised ?? terms)
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

/** The moment after a liquidation: the collateral that arrived, its cost, the rest of the order, and a link to the receipt. */
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
          text={sentences(
            m.liquidation_done_text({
              paid: amountText(result.paid, lending),
              profit: amountText(result.profit, lending),
            }),
            restText(result, lending),
          )}
        />
      </div>
      <SheetFoot>
        <Link
          to="/{-$locale}/stake/receipt"
          search={{ order: order.order_id, part: result.liquidation_id }}
          className={buttonClass()}
        >
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
export function Confirm({
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
export function Fund({
  order: { lending_asset: asset },
  missing,
}: {
  order: LiquidationOrder
  missing: string | undefined
}) {
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

/** The user's available balance of the lent asset, and how much of the payment it lacks. */
export function useFunds({ lending_asset }: LiquidationOrder, terms: LiquidationTerms | undefined) {
  const { data } = useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS })
  const available = data?.find(({ asset }) => asset === lending_asset)?.available
  const missing = available === undefined || !terms ? undefined : missingOf(terms.paid, available)
  return { available, missing }
}
