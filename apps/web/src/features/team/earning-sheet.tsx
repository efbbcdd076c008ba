import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { formatPercent, shortHex } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import { partOfFee } from './referral-part.ts'
import type { Earning } from './team.queries.ts'

/** One referral share with the swap behind it: who swapped, the fee, and the part that was paid. */
export default function EarningSheet({ share, onClose }: { share: Earning; onClose: () => void }) {
  const { hidden } = useHiddenAmounts()
  const { asset, amount, transaction_id: swap, lead, sold, fee, id, created_at: time } = share
  const shown = (value: string, signed = false) =>
    hidden ? HIDDEN_TEXT : <AmountText amount={value} asset={asset} signed={signed} className="whitespace-normal" />
  return (
    <Sheet title={m.referral_receipt()} text={m.referral_receipt_from()} onClose={onClose}>
      <p className="text-amount py-2 text-center [overflow-wrap:anywhere]">{shown(amount, true)}</p>
      <FactList
        facts={[
          { label: m.referral_receipt_lead(), value: <span className="font-mono">{lead}</span> },
          { label: m.referral_receipt_sold(), value: shown(sold) },
          { label: m.referral_receipt_fee(), value: shown(fee) },
          { label: m.referral_receipt_part(), value: formatPercent(partOfFee(share)) },
          { label: m.referral_receipt_time(), value: formatDateTime(time) },
          {
            label: m.referral_receipt_swap(),
            value: (
              <span className="-my-3 -me-2 inline-flex items-center font-mono text-label" title={swap}>
                {shortHex(swap)}
                <CopyButton text={swap} label={m.referral_receipt_copy_swap()} />
              </span>
            ),
          },
          { label: m.referral_receipt_entry(), value: id },
        ]}
      />
      <Link to="/{-$locale}/wallet/logs" search={{ kind: 'referral_share' }} className={buttonClass('quiet')}>
        {m.referral_balance_log()}
      </Link>
    </Sheet>
  )
}
