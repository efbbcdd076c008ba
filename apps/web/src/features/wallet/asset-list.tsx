import type { ResponseOf } from '@clearwell/api/routes'
import { CENT_UNITS, centsHeld, centsOwed } from '@clearwell/money/cents'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { cx } from '@clearwell/ui/browser/cx.ts'
import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { formatUsdt, listDecimals, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'

/** Of every asset in the ledger. */
const DECIMALS = 18

/** Shows the value of all balances: available, locked, in positions, less the debts. They add up to the total. */
export function BalanceValues({ balances }: { balances: readonly Balance[] }) {
  const { hidden } = useHiddenAmounts()
  const { available, locked, positions, debt } = addUp(sumPartValues(balances))
  const hasDebt = /[1-9]/.test(debt)
  return (
    <dl
      aria-label={m.wallet_balance_parts()}
      className={cx(
        'grid rounded-card border border-line bg-surface py-3',
        hasDebt ? 'grid-cols-2 gap-y-3' : 'grid-cols-3 divide-x divide-line',
      )}
    >
      <PartValue label={m.wallet_available()} usdt={available} hidden={hidden} />
      <PartValue label={m.wallet_locked()} usdt={locked} hidden={hidden} />
      <PartValue label={m.wallet_positions()} usdt={positions} hidden={hidden} />
      {hasDebt && <PartValue label={m.wallet_debt()} usdt={`-${debt}`} hidden={hidden} />}
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
  const { asset, value_usdt: value } = balance
  return (
    <Link to="/{-$locale}/wallet/asset" search={{ asset }} className="flex min-h-16 items-center gap-3 py-2">
      <TokenMark asset={asset} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-semibold">{asset}</span>
        {!hidden && <Parts balance={balance} />}
      </span>
      <span className="figures flex shrink-0 flex-col items-end">
        {hidden ? HIDDEN_TEXT : <AmountText {...totalText(balance)} />}
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
  if (!hasParts(balance)) return null
  const { available, locked, positions, decimals } = shownParts(balance)
  const parts = [
    { label: m.wallet_available(), amount: available },
    { label: m.wallet_locked(), amount: locked },
    { label: m.wallet_positions(), amount: positions },
  ].filter(({ amount }) => /[1-9]/.test(amount))
  return (
    <span className="flex flex-wrap gap-x-2 text-secondary text-muted">
      {parts.map(({ label, amount }) => (
        <span key={label}>
          {label} <AmountText amount={amount} decimals={decimals} />
        </span>
      ))}
    </span>
  )
}

function hasParts(balance: Balance): boolean {
  return /[1-9]/.test(balance.locked + inPositions(balance))
}

/** Beside its parts a total has their decimals: a narrow phone has no room for six. The asset's page shows all. */
export function totalText(balance: Balance): { readonly amount: string; readonly decimals: number } {
  const { total } = balance
  if (!hasParts(balance)) return { amount: total, decimals: isWide(total) ? WIDE_DECIMALS : significantDecimals(total) }
  const { total: amount, decimals } = shownParts(balance)
  return { amount, decimals }
}

const DUST_DIVISOR = 10_000n
/** Of an amount from 10,000 on. */
const WIDE_DECIMALS = 2

function isWide(amount: string): boolean {
  return /^\d{5}/.test(amount)
}

/** A balance and its parts at the decimals of a list. They add up as shown; a ten-thousandth of the last decimal is dust. */
export function shownParts(balance: Balance): Record<PartName | 'total', string> & { readonly decimals: number } {
  const exact = { available: balance.available, locked: balance.locked, positions: inPositions(balance) }
  const held = PART_NAMES.map((name) => exact[name]).filter((amount) => /[1-9]/.test(amount))
  const most = isWide(balance.total) ? WIDE_DECIMALS : significantDecimals(balance.total)
  const decimals = Math.min(most, Math.max(WIDE_DECIMALS, ...held.map(listDecimals)))
  const step = 10n ** BigInt(Math.max(0, DECIMALS - decimals))
  const units = (amount: string) => parseUnits(amount, DECIMALS) ?? 0n
  const shorten = (amount: bigint) => (amount + step / DUST_DIVISOR) / step
  const total = shorten(units(balance.total))
  const parts = addUpTo(
    total,
    { available: units(exact.available), locked: units(exact.locked), positions: units(exact.positions) },
    shorten,
  )
  const text = (shortened: bigint) => formatUnits(shortened * step, DECIMALS)
  return {
    available: text(parts.available),
    locked: text(parts.locked),
    positions: text(parts.positions),
    total: text(total),
    decimals,
  }
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
  /** Owed with its interest. */
  readonly debt: string
}

/** Sums the value of each part of the balances, without assets that have no price, as in the total. */
export function sumPartValues(balances: readonly Balance[]): PartValues {
  const sum = { available: 0n, locked: 0n, positions: 0n, debt: 0n }
  for (const balance of balances) {
    const total = parseUnits(balance.total, 18) ?? 0n
    if (balance.value_usdt === null || balance.owed_usdt === null) continue
    sum.debt += parseUnits(balance.owed_usdt, 18) ?? 0n
    if (total === 0n) continue
    const value = parseUnits(balance.value_usdt, 18) ?? 0n
    // Down: nothing is shown worth more than it is.
    const worth = (amount: string) => mulDiv(value, parseUnits(amount, 18) ?? 0n, total, 'down')
    sum.available += worth(balance.available)
    sum.locked += worth(balance.locked)
    sum.positions += worth(balance.pledged) + worth(balance.collateral)
  }
  const text = (units: bigint) => formatUnits(units, 18)
  return {
    available: text(sum.available),
    locked: text(sum.locked),
    positions: text(sum.positions),
    debt: text(sum.debt),
  }
}

/** The parts in cents, so that available + locked + in use − debt is the total as it is shown. */
export function addUp(values: PartValues): PartValues {
  const exact = {
    available: parseUnits(values.available, 18) ?? 0n,
    locked: parseUnits(values.locked, 18) ?? 0n,
    positions: parseUnits(values.positions, 18) ?? 0n,
  }
  const debt = parseUnits(values.debt, 18) ?? 0n
  const total = exact.available + exact.locked + exact.positions - debt
  // Up, as the server rounds debts; the parts of a total below zero are left as they are.
  const debtCents = centsOwed(debt)
  const cents = addUpTo(total >= 0n ? centsHeld(total) + debtCents : undefined, exact, centsHeld)
  const text = (amount: bigint) => formatUnits(amount * CENT_UNITS, 18)
  return {
    available: text(cents.available),
    locked: text(cents.locked),
    positions: text(cents.positions),
    debt: text(debtCents),
  }
}

const PART_NAMES = ['available', 'locked', 'positions'] as const
type PartName = (typeof PART_NAMES)[number]

/** Shortens the parts, and puts what is missing to the shortened sum, if there is one, into the largest of them. */
function addUpTo(
  sum: bigint | undefined,
  exact: Record<PartName, bigint>,
  shorten: (units: bigint) => bigint,
): Record<PartName, bigint> {
  const parts = {
    available: shorten(exact.available),
    locked: shorten(exact.locked),
    positions: shorten(exact.positions),
  }
  if (sum === undefined) return parts
  const largest = PART_NAMES.toSorted((a, b) => (exact[a] < exact[b] ? 1 : -1))[0] ?? 'available'
  parts[largest] += sum - (parts.available + parts.locked + parts.positions)
  return parts
}

/** Returns the amount of an asset in positions: pledged and put up as collateral. */
export function inPositions({ pledged, collateral }: Balance): string {
  return formatUnits((parseUnits(pledged, 18) ?? 0n) + (parseUnits(collateral, 18) ?? 0n), 18)
}
