import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { formatUsdt, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'

/** Shows the value of all balances: available, locked and in positions. */
export function BalanceValues({ balances }: { balances: readonly Balance[] }) {
  const { hidden } = useHiddenAmounts()
  const values = sumPartValues(balances)
  return (
    <dl
      aria-label={m.wallet_balance_parts()}
      className="grid grid-cols-3 divide-x divide-line rounded-card border border-line bg-surface py-3"
    >
      <PartValue label={m.wallet_available()} usdt={values.available} hidden={hidden} />
      <PartValue label={m.wallet_locked()} usdt={values.locked} hidden={hidden} />
      <PartValue label={m.wallet_positions()} usdt={values.positions} hidden={hidden} />
    </dl>
  )
}

/** The balances, asset by asset, the most valuable first. Each leads to its asset. */
export function AssetList({ balances }: { balances: readonly Balance[] }) {
  const { hidden } = useHiddenAmounts()
  return (
    <section aria-label={m.wallet_assets()}>
      <h2 className="mb-1 text-section">{m.wallet_assets()}</h2>
      <ul className="flex flex-col divide-y divide-line">
        {byValue(balances).map((balance) => (
          <li key={balance.asset}>
            <AssetRow balance={balance} hidden={hidden} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PartValue({ label, usdt, hidden }: { label: string; usdt: string; hidden: boolean }) {
  return (
    <div className="flex min-w-0 flex-col px-3 narrow:px-4">
      <dt className="text-label text-muted">{label}</dt>
      <dd className="figures truncate" title={hidden ? undefined : `${usdt} USDT`}>
        {hidden ? HIDDEN_TEXT : formatUsdt(usdt)}
      </dd>
    </div>
  )
}

function AssetRow({ balance, hidden }: { balance: Balance; hidden: boolean }) {
  const { asset, total, value_usdt: value } = balance
  return (
    <Link to="/{-$locale}/wallet/asset" search={{ asset }} className="flex min-h-16 items-center gap-3 py-2">
      <TokenMark asset={asset} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-semibold">{asset}</span>
        {!hidden && <Parts balance={balance} />}
      </span>
      <span className="figures flex shrink-0 flex-col items-end">
        {hidden ? HIDDEN_TEXT : <AmountText amount={total} decimals={totalDecimals(total)} />}
        <span className="text-secondary text-muted">
          {value === null ? m.wallet_no_price() : hidden ? HIDDEN_TEXT : `≈ ${formatUsdt(value)} USDT`}
        </span>
      </span>
      <Icon name="chevron-right" className="text-muted" />
    </Link>
  )
}

/** The parts of a balance, unless all of it is available: the total says that already. */
function Parts({ balance }: { balance: Balance }) {
  const parts = [
    { label: m.wallet_available(), amount: balance.available },
    { label: m.wallet_locked(), amount: balance.locked },
    { label: m.wallet_positions(), amount: inPositions(balance) },
  ].filter(({ amount }) => /[1-9]/.test(amount))
  if (!parts.some(({ label }) => label !== m.wallet_available())) return null
  return (
    <span className="flex flex-wrap gap-x-2 text-secondary text-muted">
      {parts.map(({ label, amount }) => (
        <span key={label}>
          {label} <AmountText amount={amount} decimals={partDecimals(amount)} />
        </span>
      ))}
    </span>
  )
}

/** From 10,000 on, a narrow phone has no room for six decimals beside the parts. The asset's page shows all. */
function totalDecimals(amount: string): number {
  return isWide(amount) ? 2 : significantDecimals(amount)
}

/** Two decimals are enough beside the total, and none from 10,000 on; an amount below one keeps its first digits. */
function partDecimals(amount: string): number {
  return isWide(amount) ? 0 : significantDecimals(amount) - 4
}

function isWide(amount: string): boolean {
  return /^\d{5}/.test(amount)
}

/** The most valuable first; assets without a price after them, then those that are not held. */
export function byValue(balances: readonly Balance[]): Balance[] {
  const rank = ({ total, value_usdt }: Balance) =>
    /[1-9]/.test(total) ? (parseUnits(value_usdt ?? '0', 18) ?? 0n) : -1n
  return balances.toSorted((a, b) => {
    const [first, second] = [rank(a), rank(b)]
    return first === second ? 0 : first < second ? 1 : -1
  })
}

export type Balance = ResponseOf<'balances'>[number]

/** The value of each part of the balances, in USDT. */
export interface PartValues {
  readonly available: string
  readonly locked: string
  /** Pledged, put up as collateral, or deposited in the upgrade hub. */
  readonly positions: string
}

/** Sums the value of each part of the balances, without assets that have no price, as in the total. */
export function sumPartValues(balances: readonly Balance[]): PartValues {
  const sum = { available: 0n, locked: 0n, positions: 0n }
  for (const balance of balances) {
    const total = parseUnits(balance.total, 18) ?? 0n
    if (balance.value_usdt === null || total === 0n) continue
    const value = parseUnits(balance.value_usdt, 18) ?? 0n
    // Down: nothing is shown worth more than it is.
    const worth = (amount: string) => mulDiv(value, parseUnits(amount, 18) ?? 0n, total, 'down')
    sum.available += worth(balance.available)
    sum.locked += worth(balance.locked)
    sum.positions += worth(balance.pledged) + worth(balance.collateral)
  }
  const text = (units: bigint) => formatUnits(units, 18)
  return { available: text(sum.available), locked: text(sum.locked), positions: text(sum.positions) }
}

/** Returns the amount of an asset in positions: pledged and put up as collateral. */
export function inPositions({ pledged, collateral }: Balance): string {
  return formatUnits((parseUnits(pledged, 18) ?? 0n) + (parseUnits(collateral, 18) ?? 0n), 18)
}
