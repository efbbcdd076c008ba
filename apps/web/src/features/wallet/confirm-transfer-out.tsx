import type { ReasonOf } from '@clearwell/api/codes'
import type { WithdrawalStop } from '@clearwell/api/refusal-reasons'
import { Card } from '@clearwell/ui/components/card.tsx'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useNavigate } from '@tanstack/react-router'
import { useAccount, useAccountAddress } from '../../account/use-account.ts'
import { ApiError } from '../../api/api-error.ts'
import { type ByReason, type KnownData, refusalData } from '../../api/refusal-data.ts'
import { useCommand } from '../../api/use-command.ts'
import { PartAway } from '../../components/part-away.tsx'
import { m } from '../../generated/messages.ts'
import { BigAmount } from '../../vault-payment/big-amount.tsx'
import { payOnceSigned } from '../../vault-payment/confirmed-here.ts'
import { Ask } from '../../vault-payment/payment-asks.tsx'
import { savePayment } from '../../vault-payment/payment-record.ts'
import { type ConfirmedTransfer, ConfirmFrame, NetworkFacts, WholeAddress } from './confirm-parts.tsx'
import { TRANSFER_FORMS } from './transfer-form.tsx'
import { submitTransferOut } from './transfer-out-payment.tsx'
import { useNetworkFee } from './wallet.queries.ts'

/** The steps of a transfer out, before anything is locked. */
export function ConfirmTransferOut(transfer: ConfirmedTransfer) {
  const { config, asset, amount } = transfer
  const { confirm, busy, error } = useConfirm(transfer)
  const { user } = useAccount()
  const fee = useNetworkFee('out')
  const exact = `${formatAmount(amount, { decimals: asset.decimals })} ${asset.asset}`
  return (
    <ConfirmFrame label={m.wallet_out_confirm()} confirm={confirm} busy={busy} error={error}>
      <PartAway part="chain" text={m.wallet_out_chain_away} />
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
  const sell = useCommand('sell', { silent: true, form: TRANSFER_FORMS.out })
  const confirm = () =>
    sell.mutate(
      { asset, amount },
      {
        onSuccess: (order) => {
          const { order_id: orderId } = order
          const transfer = { asset, amount, out: true }
          if (order.status === 'signed') submitTransferOut(config, account, order, transfer)
          // Signed a little later: the next screen waits for the voucher and compares it with this confirmation.
          else {
            savePayment(account, { orderId, transfer })
            payOnceSigned(orderId)
          }
          const search = { order: orderId, way: 'out' } as const
          void navigate({ to: '/{-$locale}/wallet/sendTransaction', search, replace: true })
        },
      },
    )
  return { confirm, busy: sell.isPending, error: sell.error ? transferOutRefusalText(sell.error, asset) : undefined }
}

/** Why a transfer out did not start, whether anything was locked, and what to do next. */
export function transferOutRefusalText(error: Error, asset: string): string {
  const isKnown = error instanceof ApiError && !error.isTransient && error.codeName !== 'sign_in_again'
  if (!isKnown) return sentences(errorText(error), m.wallet_out_unknown())
  return sentences(...reasonTexts(error, asset), m.wallet_out_not_locked(), ...nextTexts(error))
}

function reasonTexts(error: ApiError, asset: string): string[] {
  if (error.codeName === 'balance_not_enough') return [m.wallet_balance_not_enough()]
  const range = refusalData(error, 'amount_out_of_range')
  if (range?.reason === 'daily_limit' && range.max !== undefined)
    return [m.wallet_out_over_today({ max: `${formatAmount(range.max)} ${asset}` })]
  const suspended = refusalData(error, 'trading_suspended')
  if (suspended?.reason === 'daily_limit_reached') return dayTexts(suspended, asset)
  const texts = range && rangeTexts(range, asset)
  return texts ?? [(suspended?.reason && STOP_TEXTS[suspended.reason]?.()) ?? errorText(error)]
}

function nextTexts(error: ApiError): string[] {
  const data = refusalData(error, 'trading_suspended') ?? refusalData(error, 'amount_out_of_range')
  switch (data?.reason) {
    case 'withdrawals_paused':
    case 'signer_not_accepted':
      return [m.payment_next_later()]
    case 'daily_limit':
    case 'daily_limit_reached': {
      const { more_at: moreAt } = data
      return [moreAt === undefined ? m.wallet_out_next_hours() : m.wallet_out_more_at({ time: formatDateTime(moreAt) })]
    }
    default:
      return []
  }
}

/** Which daily limit is reached, and the little that is left of it. */
function dayTexts(
  { limited_by: limitedBy, available_today: left }: KnownData<'trading_suspended'>,
  asset: string,
): string[] {
  return [
    limitedBy === 'account' ? m.wallet_out_refuse_account() : m.wallet_out_refuse_day(),
    ...(left === undefined ? [] : [m.wallet_out_left_today({ amount: `${formatAmount(left)} ${asset}` })]),
  ]
}

/** The limits from the server. */
function rangeTexts({ min, max }: KnownData<'amount_out_of_range'>, asset: string): string[] | undefined {
  const texts = [
    min !== undefined && m.wallet_out_under_min({ min: `${formatAmount(min)} ${asset}` }),
    max !== undefined && m.wallet_out_over_max({ max: `${formatAmount(max)} ${asset}` }),
  ].filter((text) => text !== false)
  return texts.length === 0 ? undefined : texts
}

const STOP_TEXTS: ByReason<WithdrawalStop, ReasonOf<'trading_suspended'>> = {
  insolvent: m.wallet_out_refuse_insolvent,
  withdrawals_paused: m.wallet_out_refuse_paused,
  signer_not_accepted: m.wallet_out_refuse_signer,
  ledger_behind: m.wallet_out_refuse_behind,
}
