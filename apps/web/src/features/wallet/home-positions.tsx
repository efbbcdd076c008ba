import { Link } from '@tanstack/react-router'
import { useCall } from '../../api/use-call.ts'
import { HIDDEN_TEXT, useHiddenAmounts } from '../../browser/hidden-amounts.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatUsdt } from '../../i18n/format.ts'
import { type Balance, BalanceValues } from './asset-list.tsx'

/** The value available, locked and in use, and each asset, at a glance on home. Nothing for a user who holds nothing. */
export default function HomePositions() {
  const { data: balances = [] } = useCall('balances', {})
  const held = balances.filter(({ total }) => /[1-9]/.test(total))
  if (held.length === 0) return null
  return (
    <section aria-label={m.wallet_my_positions()} className="flex flex-col gap-2">
      <h2 className="text-section">{m.wallet_my_positions()}</h2>
      <BalanceValues balances={balances} />
      <ul className="flex flex-col divide-y divide-line">
        {held.map((balance) => (
          <li key={balance.asset}>
            <Position balance={balance} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Position({ balance: { asset, total, value_usdt: value } }: { balance: Balance }) {
  const { hidden } = useHiddenAmounts()
  return (
    <Link
      to="/{-$locale}/wallet"
      className="flex min-h-16 items-center justify-between gap-3 py-2 transition-colors hover:bg-input"
    >
      <span className="font-semibold">{asset}</span>
      <span className="figures flex flex-col items-end">
        {hidden ? HIDDEN_TEXT : <AmountText amount={total} />}
        <span className="text-label text-muted">
          {value === null ? m.wallet_no_price() : hidden ? HIDDEN_TEXT : `≈ ${formatUsdt(value)} USDT`}
        </span>
      </span>
    </Link>
  )
}
