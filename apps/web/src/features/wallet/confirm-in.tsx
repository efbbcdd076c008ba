import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccountAddress } from '../../account/use-account.ts'
import { useCommand } from '../../api/use-command.ts'
import { Card } from '../../components/card.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../i18n/error-text.ts'
import { formatAmount } from '../../i18n/format.ts'
import { sentences } from '../../i18n/sentences.ts'
import { depositCall, isSameCall } from '../../wallet/deposit-call.ts'
import { type PayWay, usePayWay } from '../../wallet/pay-way.ts'
import { useWallet } from '../../wallet/wallet.ts'
import { BigAmount } from './big-amount.tsx'
import { Ask, ConfirmFrame, NetworkFacts, WholeAddress } from './confirm-parts.tsx'
import type { ConfirmedTransfer } from './confirmation-screen.tsx'
import { payTransfer } from './pay-transfer.ts'
import { networkFee } from './transfer-amount.ts'
import { useGasPrice } from './wallet.queries.ts'

/** What a transfer in will ask of the wallet. */
export function ConfirmIn(transfer: ConfirmedTransfer) {
  const { config, asset, amount, units } = transfer
  const { confirm, busy, error } = useConfirm(transfer)
  const way = usePayWay(asset.kind === 'native' ? null : asset.address, units)
  const gasPrice = useGasPrice().data
  const fee = gasPrice === undefined ? undefined : networkFee(way ?? 'approve', gasPrice)
  const exact = `${formatAmount(amount, { places: asset.decimals })} ${asset.asset}`
  return (
    <ConfirmFrame label={m.wallet_open_wallet()} confirm={confirm} busy={busy} error={error}>
      <BigAmount way="in" amount={amount} asset={asset.asset} />
      <p className="text-muted">{m.wallet_confirm_intro()}</p>
      <Card title={m.wallet_confirm_asks()}>
        <ol className="flex flex-col gap-4">
          {asset.kind !== 'native' && <AskAllowance way={way} amount={exact} />}
          <Ask number={asset.kind === 'native' ? 1 : 2} title={m.wallet_confirm_send()}>
            {m.wallet_confirm_send_text({ amount: exact })}
          </Ask>
        </ol>
      </Card>
      <Card className="flex flex-col gap-3">
        <WholeAddress label={m.wallet_vault()} text={config.vault} copyLabel={m.wallet_copy_vault()} />
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

/** How the vault comes to take the token: by a permit, by an approval, or as it may already. */
function AskAllowance({ way, amount }: { way: PayWay | undefined; amount: string }) {
  const { status } = useWallet()
  if (way === undefined && status === 'connected')
    return (
      <Ask number={1} title={m.wallet_confirm_approve()} quiet>
        <Skeleton className="h-11" />
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
      <Ask number={1} title={m.wallet_confirm_approve()} quiet>
        {m.wallet_confirm_approve_skip({ amount })}
      </Ask>
    )
  return (
    <Ask number={1} title={m.wallet_confirm_approve()}>
      {m.wallet_confirm_approve_text({ amount })}
    </Ask>
  )
}

/** One press is one confirmation: it makes the order and hands it to the wallet. */
function useConfirm({ config, asset, amount, units }: ConfirmedTransfer) {
  const navigate = useNavigate()
  const account = useAccountAddress()
  const buy = useCommand('buy', { silent: true })
  const [refusal, setRefusal] = useState<string>()
  const confirm = () => {
    setRefusal(undefined)
    buy.mutate(
      { asset: asset.asset, amount },
      {
        onSuccess: (order) => {
          const { order_id: orderId } = order
          const payment = { account, vault: config.vault, token: asset.address, units, orderId }
          // What was read here is what is sent, or nothing is.
          if (!isSameCall(depositCall(payment), order)) return setRefusal(m.wallet_call_differs())
          payTransfer(payment, { asset: asset.asset, amount })
          void navigate({ to: '/{-$locale}/wallet/sendTransaction', search: { order: orderId }, replace: true })
        },
      },
    )
  }
  const failure = buy.error ? sentences(errorText(buy.error), m.wallet_nothing_sent()) : undefined
  return { confirm, busy: buy.isPending, error: refusal ?? failure }
}
