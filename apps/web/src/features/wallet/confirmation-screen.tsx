import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccountAddress } from '../../account/use-account-address.ts'
import { type Config, useConfig } from '../../api/config.ts'
import { useMoneyCall } from '../../api/use-money-call.ts'
import { m } from '../../generated/paraglide/messages.js'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { errorText } from '../../ui/error-text.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { formatAmount } from '../../ui/format.ts'
import { Screen } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { depositCall, isSameCall } from '../../wallet/deposit-call.ts'
import { BigAmount } from './big-amount.tsx'
import { confirmable } from './buy-screen.tsx'
import { FeeText } from './fee-text.tsx'
import { payTransfer } from './pay-transfer.ts'
import { networkFee } from './transfer-amount.ts'
import type { TransferDraft } from './transfer-draft.ts'
import { type ConfiguredAsset, chainAssets, useGasPrice, useVaultAllowance } from './wallet.queries.ts'

/** Transfer in, second step: says in words what will be signed and sent, before the wallet opens. */
export function ConfirmationScreen({ draft }: { draft: TransferDraft }) {
  const config = useConfig()
  const transfer = config && confirmable(draft, config)
  if (config && transfer) return <Confirmation config={config} {...transfer} />
  return (
    <Screen title={m.title_wallet_confirmation()}>
      {config ? (
        <EmptyState
          icon="arrow-down-to-line"
          title={m.wallet_confirm_nothing()}
          action={
            <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
              {m.wallet_transfer_in()}
            </Link>
          }
        />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-4">
          <Skeleton className="h-24" />
          <Skeleton className="h-60" />
        </div>
      )}
    </Screen>
  )
}

interface ConfirmationProps {
  readonly config: Config
  readonly asset: ConfiguredAsset
  readonly amount: string
  readonly units: bigint
}

function Confirmation({ config, asset, amount, units }: ConfirmationProps) {
  const { confirm, busy, error } = useConfirm({ config, asset, amount, units })
  const allowance = useVaultAllowance(asset)
  const gasPrice = useGasPrice().data
  const native = asset.kind === 'native'
  const approves = !native && (allowance.data ?? 0n) < units
  const fee = gasPrice === undefined ? undefined : networkFee({ native, approves }, gasPrice)
  const exact = `${formatAmount(amount, { places: asset.decimals })} ${asset.asset}`
  return (
    <Screen
      title={m.title_wallet_confirmation()}
      action={
        <div className="flex flex-col gap-3">
          {error && (
            <p role="alert" className="text-down">
              {error}
            </p>
          )}
          <GatedButton needs="session" icon="wallet" busy={busy} onClick={confirm}>
            {m.wallet_open_wallet()}
          </GatedButton>
        </div>
      }
    >
      <BigAmount amount={amount} asset={asset.asset} />
      <p className="text-muted">{m.wallet_confirm_intro()}</p>
      <Card title={m.wallet_confirm_asks()}>
        <ol className="flex flex-col gap-4">
          {!native && (
            <Ask number={1} title={m.wallet_confirm_approve()} quiet={!approves}>
              {allowance.isPending && allowance.fetchStatus === 'fetching' ? (
                <Skeleton className="h-11" />
              ) : approves ? (
                m.wallet_confirm_approve_text({ amount: exact })
              ) : (
                m.wallet_confirm_approve_skip({ amount: exact })
              )}
            </Ask>
          )}
          <Ask number={native ? 1 : 2} title={m.wallet_confirm_send()}>
            {m.wallet_confirm_send_text({ amount: exact })}
          </Ask>
        </ol>
      </Card>
      <Card className="flex flex-col gap-3">
        <Address label={m.wallet_vault()} text={config.vault} copyLabel={m.wallet_copy_vault()} />
        {asset.address && (
          <Address
            label={m.wallet_token({ asset: asset.asset })}
            text={asset.address}
            copyLabel={m.wallet_copy_token()}
          />
        )}
        <div className="-mb-2.5 border-t border-line">
          <FactList
            facts={[
              { label: m.wallet_network(), value: config.chain.name },
              { label: m.wallet_fee(), value: <FeeText fee={fee} native={chainAssets(config).native} /> },
              { label: m.wallet_confirmations(), value: config.chain.confirmations },
            ]}
          />
        </div>
      </Card>
    </Screen>
  )
}

/** One press is one confirmation: it makes the order and hands it to the wallet. */
function useConfirm({ config, asset, amount, units }: ConfirmationProps) {
  const navigate = useNavigate()
  const account = useAccountAddress()
  const buy = useMoneyCall('buy', { silent: true })
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
  const failure = buy.error ? `${errorText(buy.error)} ${m.wallet_nothing_sent()}` : undefined
  return { confirm, busy: buy.isPending, error: refusal ?? failure }
}

function Ask({
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

/** A whole address: what is signed is never shortened. */
function Address({ label, text, copyLabel }: { label: string; text: string; copyLabel: string }) {
  return (
    <div className="flex items-center gap-2">
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="text-label text-muted">{label}</span>
        <span className="font-mono text-label break-all">{text}</span>
      </div>
      <span className="-my-1 -me-2">
        <CopyButton text={text} label={copyLabel} />
      </span>
    </div>
  )
}
