import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits } from '@clearwell/money/decimal'
import { minUnits } from '@clearwell/money/min-max'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { useId } from 'react'
import { m } from '../../generated/messages.ts'
import type { ConfiguredAsset } from '../../vault-payment/payment-assets.ts'

interface TransferOutTodayProps {
  readonly asset: Pick<ConfiguredAsset, 'asset' | 'decimals'>
  /** Enters an amount, in the asset's units on the chain. */
  readonly onUse: (amount: bigint) => void
  readonly limit: Pick<ResponseOf<'sellLimits'>[number], 'limited_by' | 'more_at'>
  /** The amount that the daily limits leave, in the asset's units on the chain. */
  readonly today: bigint
  /** The account's balance in the same units; `undefined` while that is not known. */
  readonly balance: bigint | undefined
}

/** How much the account can transfer out today, with a button that enters it, and the reason where the limits bind. */
export function TransferOutToday({ asset, onUse, limit, today, balance = today }: TransferOutTodayProps) {
  const possible = minUnits(balance, today)
  const labelId = useId()
  const buttonId = useId()
  return (
    <div className="flex flex-col gap-1 text-label text-muted">
      <div className="flex items-center justify-between gap-3">
        <span id={labelId}>{m.wallet_out_today()}</span>
        <button
          type="button"
          id={buttonId}
          // The name contains the amount as shown, however many digits that has.
          aria-labelledby={`${labelId} ${buttonId}`}
          onClick={() => onUse(possible)}
          className="-my-2 min-h-11 text-accent underline underline-offset-4"
        >
          <AmountText amount={formatUnits(possible, asset.decimals)} asset={asset.asset} />
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
