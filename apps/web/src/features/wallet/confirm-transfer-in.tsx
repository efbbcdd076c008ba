import { Card } from '@clearwell/ui/components/card.tsx'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useAccountAddress } from '../../account/use-account.ts'
import { useCommand } from '../../api/use-command.ts'
import { PartAway } from '../../components/part-away.tsx'
import { m } from '../../generated/messages.ts'
import { BigAmount } from '../../vault-payment/big-amount.tsx'
import { usePayWay } from '../../vault-payment/pay-way.ts'
import { PaymentAsks } from '../../vault-payment/payment-asks.tsx'
import { useChainBalance } from '../../vault-payment/payment-assets.ts'
import { type ConfirmedTransfer, ConfirmFrame, NetworkFacts, WholeAddress } from './confirm-parts.tsx'
import { useFaucet } from './faucet-button.tsx'
import { TRANSFER_FORMS } from './transfer-form.tsx'
import { payTransferIn } from './transfer-in-payment.tsx'
import { useNetworkFee } from './wallet.queries.ts'

/** The wallet's requests for a transfer in, before the wallet opens. */
export function ConfirmTransferIn(transfer: ConfirmedTransfer) {
  const { config, asset, amount, units } = transfer
  const { confirm, busy, error } = useConfirm(transfer)
  const { give, busy: isGiving } = useFaucet()
  const held = useChainBalance(asset).data
  const isShort = held !== undefined && held < units
  // One press takes test tokens and opens the wallet, so that a first swap is short.
  const takeAndConfirm = async () => {
    if (await give?.()) confirm()
  }
  const way = usePayWay(asset.kind === 'native' ? null : asset.address, units)
  const fee = useNetworkFee(way)
  return (
    <ConfirmFrame
      label={isShort && give ? m.wallet_faucet_then_pay() : m.payment_open_wallet()}
      confirm={isShort && give ? takeAndConfirm : confirm}
      busy={busy || isGiving}
      error={error}
    >
      <PartAway part="chain" text={m.wallet_in_chain_away} />
      <BigAmount label={m.wallet_transfer_in()} amount={amount} asset={asset.asset} />
      <p className="text-muted">
        {m.wallet_confirm_intro()}{' '}
        <Link
          to="/{-$locale}/wallet/buy"
          search={{ asset: asset.asset, amount }}
          replace
          className="-my-3 inline-block py-3 text-accent underline underline-offset-4"
        >
          {m.wallet_change_amount()}
        </Link>
      </p>
      {isShort && <p className="text-warn">{give ? m.wallet_faucet_text() : m.wallet_balance_not_enough()}</p>}
      <Card title={m.wallet_confirm_asks()}>
        <PaymentAsks way={way} amount={`${formatAmount(amount, { decimals: asset.decimals })} ${asset.asset}`} />
      </Card>
      <Card className="flex flex-col gap-3">
        <WholeAddress label={m.payment_vault()} text={config.vault} copyLabel={m.payment_copy_vault()} />
        {asset.address && (
          <WholeAddress
            label={m.wallet_token({ asset: asset.asset })}
            text={asset.address}
            copyLabel={m.wallet_copy_token()}
          />
        )}
        <NetworkFacts config={config} fee={fee} />
      </Card>
    </ConfirmFrame>
  )
}

/** One press is one confirmation: it makes the order and pays it with the wallet. */
function useConfirm({ config, asset, amount, units }: ConfirmedTransfer) {
  const navigate = useNavigate()
  const account = useAccountAddress()
  const buy = useCommand('buy', { silent: true, form: TRANSFER_FORMS.in })
  const confirm = () =>
    buy.mutate(
      { asset: asset.asset, amount },
      {
        onSuccess: (order) => {
          const { order_id: orderId } = order
          // Only the payment shown here is sent; if the server's call differs, nothing is.
          const payment = { account, vault: config.vault, token: asset.address, units, orderId, served: order }
          payTransferIn(payment, { asset: asset.asset, amount })
          void navigate({ to: '/{-$locale}/wallet/sendTransaction', search: { order: orderId }, replace: true })
        },
      },
    )
  return {
    confirm,
    busy: buy.isPending,
    error: buy.error ? sentences(errorText(buy.error), m.payment_nothing_sent()) : undefined,
  }
}
