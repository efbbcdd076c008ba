import { useOnline } from '@clearwell/ui/browser/use-online.ts'
import { Link } from '@tanstack/react-router'
import { GatedButton } from '../../account/gated-button.tsx'
import { interruptSwap } from '../../account/interrupted-swap.ts'
import { useAccountAddress } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { chainUnits, useChainBalance } from '../../vault-payment/payment-assets.ts'
import { isApart, type SwapActivation } from './swap-activation.ts'
import { amountToTransfer, textOf } from './swap-figures.ts'
import { OBSTACLE_TEXTS } from './swap-refusal.ts'
import type { SwapFormState } from './use-swap-form.ts'

/** The main button, which says the state of the form: what is missing, or what a press confirms. */
export function SwapAction({
  form,
  activation,
  onPress,
}: {
  form: SwapFormState
  activation: SwapActivation
  onPress: () => void
}) {
  const { trade, obstacle, needsQuote, quoteQuery, refusal, isWanted } = form
  // The report can be wrong, so the button can be pressed, but it waits for no quote.
  const isOffline = !useOnline()
  return (
    <GatedButton
      needs={isApart(form, activation) ? 'activation' : 'open'}
      look={obstacle === undefined && !isOffline ? 'main' : 'idle'}
      disabled={trade.pair.suspended || refusal !== undefined}
      busy={!isOffline && ((needsQuote && quoteQuery.isFetching) || isWanted)}
      onClick={onPress}
    >
      {isOffline ? m.swap_state_offline() : actionText(form, activation)}
    </GatedButton>
  )
}

function actionText({ obstacle, needsQuote, sell }: SwapFormState, activation: SwapActivation): string {
  switch (obstacle) {
    case 'no_amount':
      return m.swap_state_no_amount()
    case 'balance_not_enough':
    case 'rt_balance_not_enough':
      return m.swap_state_not_enough({ asset: sell.asset })
    case undefined:
      break
    default:
      return OBSTACLE_TEXTS[obstacle]()
  }
  if (needsQuote) return m.swap_new_quote()
  return activation.name === 'with_swap' ? m.swap_activate_and_swap() : m.swap_action()
}

/**
 * The link that helps where the balance is too low: to a transfer in of the missing amount, whose end leads back here. Where the
 * wallet can pay it, straight to its confirmation. RT cannot be transferred in: it is earned and bought here.
 */
export function TransferInLink({ form: { trade, sell, sellAmount, missing } }: { form: SwapFormState }) {
  const owner = useAccountAddress()
  const config = useConfig()
  const asset = config?.assets.find((each) => each.asset === sell.asset)
  const amount = missing === undefined ? undefined : amountToTransfer(missing, sell.asset, asset?.min_in ?? '0')
  const held = useChainBalance(asset?.kind === 'ledger' ? undefined : asset).data
  const canPay =
    asset !== undefined &&
    amount !== undefined &&
    // The local profile gives test tokens to a wallet that lacks them.
    (config?.profile === 'local' || (held !== undefined && held >= chainUnits(amount, asset.decimals)))
  return (
    <Link
      to={canPay ? '/{-$locale}/wallet/confirmation' : '/{-$locale}/wallet/buy'}
      search={{ asset: sell.asset, ...(amount === undefined ? {} : { amount }) }}
      onClick={() => {
        if (sellAmount === undefined) return
        interruptSwap(owner, { pair: trade.pair.symbol, sell: sell.asset, amount: textOf(sellAmount, sell.asset) })
      }}
      className="-my-2 inline-block py-2 text-accent underline underline-offset-4"
    >
      {m.swap_transfer_in()}
    </Link>
  )
}
