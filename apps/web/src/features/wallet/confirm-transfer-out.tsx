import { useNavigate } from '@tanstack/react-router'
import { useAccount, useAccountAddress } from '../../account/use-account.ts'
import { useCommand } from '../../api/use-command.ts'
import { Card } from '../../components/card.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount } from '../../i18n/format.ts'
import { Icon } from '../../icons/icon.tsx'
import { BigAmount } from '../../vault-payment/big-amount.tsx'
import { Ask } from '../../vault-payment/payment-asks.tsx'
import { savePayment } from '../../vault-payment/payment-record.ts'
import { type ConfirmedTransfer, ConfirmFrame, NetworkFacts, WholeAddress } from './confirm-parts.tsx'
import { networkFee } from './transfer-amount.ts'
import { submitTransferOut } from './transfer-out-payment.tsx'
import { transferOutRefusalText } from './transfer-out-refusal.ts'
import { useGasPrice } from './wallet.queries.ts'

/** The steps of a transfer out, before anything is locked. */
export function ConfirmTransferOut(transfer: ConfirmedTransfer) {
  const { config, asset, amount } = transfer
  const { confirm, busy, error } = useConfirm(transfer)
  const { user } = useAccount()
  const gasPrice = useGasPrice().data
  const fee = gasPrice === undefined ? undefined : networkFee('out', gasPrice)
  const exact = `${formatAmount(amount, { places: asset.decimals })} ${asset.asset}`
  return (
    <ConfirmFrame label={m.wallet_out_confirm()} confirm={confirm} busy={busy} error={error}>
      <BigAmount label={m.wallet_transfer_out()} amount={amount} asset={asset.asset} />
      <Card title={m.wallet_out_steps()}>
        <ol className="flex flex-col gap-4">
          <Ask number={1} title={m.wallet_out_lock()}>
            {m.wallet_out_lock_text({ amount: exact })}
          </Ask>
          <Ask number={2} title={m.wallet_out_sign()}>
            {m.wallet_out_sign_text()}
          </Ask>
          <Ask number={3} title={m.wallet_out_send()}>
            {m.wallet_out_send_text()}
          </Ask>
        </ol>
        <p className="mt-4 flex gap-3 border-t border-line pt-3">
          <Icon name="info" className="text-accent" />
          <span className="min-w-0 flex-1">{m.wallet_out_safe()}</span>
        </p>
      </Card>
      <Card className="flex flex-col gap-3">
        {user && <WholeAddress label={m.wallet_out_to()} text={user.address} copyLabel={m.wallet_out_copy_to()} />}
        <WholeAddress label={m.payment_vault()} text={config.vault} copyLabel={m.payment_copy_vault()} />
        <NetworkFacts config={config} fee={fee} />
      </Card>
    </ConfirmFrame>
  )
}

/** One press is one confirmation: the amount is locked, and the wallet gets its voucher once that is signed. */
function useConfirm({ config, asset: { asset }, amount }: ConfirmedTransfer) {
  const navigate = useNavigate()
  const account = useAccountAddress()
  const sell = useCommand('sell', { silent: true })
  const confirm = () =>
    sell.mutate(
      { asset, amount },
      {
        onSuccess: (order) => {
          const { order_id: orderId } = order
          const transfer = { asset, amount, out: true }
          if (order.status === 'signed') submitTransferOut(config, account, order, transfer)
          // Signed a little later: the next screen waits for the voucher and compares it with this confirmation.
          else savePayment(account, { orderId, transfer })
          const search = { order: orderId, way: 'out' } as const
          void navigate({ to: '/{-$locale}/wallet/sendTransaction', search, replace: true })
        },
      },
    )
  return { confirm, busy: sell.isPending, error: sell.error ? transferOutRefusalText(sell.error, asset) : undefined }
}
