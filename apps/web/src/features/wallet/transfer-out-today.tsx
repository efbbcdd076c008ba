import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits } from '@clearwell/money/decimal'
import { minUnits } from '@clearwell/money/min-max'
import { AmountText } from '../../components/amount-text.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, formatDateTime } from '../../i18n/format.ts'
import { sentences } from '../../i18n/sentences.ts'
import { limitsOut, mostToTransfer } from './transfer-amount.ts'
import type { TransferForm } from './transfer-form.tsx'

interface TransferOutTodayProps {
  readonly form: TransferForm
  readonly limit: ResponseOf<'sellLimits'>[number]
  /** The amount that the daily limits leave, in the asset's units on the chain. */
  readonly today: bigint
  /** The account's balance in the same units; `undefined` while that is not known. */
  readonly balance: bigint | undefined
}

/** How much the account can transfer out today, with a button that enters it, and the reason where the limits bind. */
export function TransferOutToday({ form, limit, today, balance = today }: TransferOutTodayProps) {
  const { asset, setAmount } = form
  const { decimals } = asset
  const possible = minUnits(balance, today)
  return (
    <div className="flex flex-col gap-1 text-label text-muted">
      <div className="flex items-center justify-between gap-3">
        <span>{m.wallet_out_today()}</span>
        <button
          type="button"
          aria-label={m.wallet_out_today_use({
            amount: `${formatAmount(formatUnits(possible, decimals))} ${asset.asset}`,
          })}
          onClick={() => setAmount(mostToTransfer(possible, limitsOut(asset), 0n))}
          className="-my-2 min-h-11 text-accent underline underline-offset-4"
        >
          <AmountText amount={formatUnits(possible, decimals)} asset={asset.asset} decimals={decimals} />
        </button>
      </div>
      {today < balance && <p>{limitText(limit)}</p>}
    </div>
  )
}

function limitText({ limited_by: limitedBy, more_at: moreAt }: TransferOutTodayProps['limit']): string {
  return sentences(
    limitedBy === 'account' ? m.wallet_out_today_account() : m.wallet_out_today_all(),
    ...(moreAt === null ? [] : [m.wallet_out_more_at({ time: formatDateTime(moreAt) })]),
  )
}
