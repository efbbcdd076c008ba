import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { cx } from '@clearwell/ui/browser/cx.ts'
import { HIDDEN_TEXT } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { formatAmount, formatChange } from '@clearwell/ui/i18n/format.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { m } from '../../generated/messages.ts'
import { PERFORMANCE, TOTAL_USDT } from './wallet.samples.ts'

const POLL_MS = 30_000
const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)

/** Two lines for every account: the text of a day with an activation would wrap, and push what is below it down. */
const LINES = 'flex min-h-9 flex-col text-secondary text-muted'

type Balances = ResponseOf<'balances'>
type Performance = NonNullable<ResponseOf<'summary'>['performance']>

/** The change of 24 hours that leads to the total on screen. What was transferred in or out is no gain and no loss. */
export function DayChange({
  balances,
  totalUnits,
  hidden,
}: {
  balances: Balances
  /** `undefined` while an asset has no price. */
  totalUnits: bigint | undefined
  hidden: boolean
}) {
  const payload = { period: 'day' } as const
  const { data, isPending } = useQuery({
    // A summary of other holdings may lack a transfer, which would then count as a gain or a loss.
    queryKey: ['summary', payload, holdingsKey(balances)],
    queryFn: ({ signal }) => call('summary', payload, { signal }),
    refetchInterval: POLL_MS,
  })
  if (isPending)
    return (
      <Pending>
        <ChangeText totalUnits={unitsOf(TOTAL_USDT)} performance={PERFORMANCE} hidden={false} />
      </Pending>
    )
  // A price of the day is missing.
  if (!data?.performance || totalUnits === undefined) return <p className={LINES}>{m.wallet_change_unknown()}</p>
  return <ChangeText totalUnits={totalUnits} performance={data.performance} hidden={hidden} />
}

export function ChangeText({
  totalUnits,
  performance,
  hidden,
}: {
  totalUnits: bigint
  performance: Performance
  hidden: boolean
}) {
  const { change, fraction } = changeUpTo(totalUnits, performance)
  // An empty account has nothing that could change. Words, because empty lines would be a gap above the actions.
  if (totalUnits === 0n && !/[1-9]/.test(change))
    return (
      <p className={LINES}>
        <span>{m.wallet_no_assets()}</span>
        <span>{m.wallet_no_assets_text()}</span>
      </p>
    )
  const tone = !/[1-9]/.test(change) ? 'text-muted' : change.startsWith('-') ? 'text-down' : 'text-up'
  return (
    <p className={cx('figures', LINES)}>
      <span className={cx('font-semibold', tone)}>
        {hidden ? HIDDEN_TEXT : `${formatAmount(change, { decimals: 2, fixed: true, signed: true })} USDT`}
        {fraction !== null && ` (${formatChange(fraction)})`}
      </span>{' '}
      <span>{flowsText(performance, hidden)}</span>
    </p>
  )
}

/** Names the flows that the change leaves out; a price of activation with its amount, because the total lacks it. */
function flowsText({ activation_usdt }: Performance, hidden: boolean): string {
  if (!/[1-9]/.test(activation_usdt)) return m.wallet_change_day()
  const price = hidden ? HIDDEN_TEXT : formatAmount(activation_usdt, { decimals: 2 })
  return m.wallet_change_day_activation({ price: `${price} USDT` })
}

/**
 * Names the holdings that a summary belongs to: every transfer, swap and loan changes one of these amounts. Pledges are left
 * out, because their interest changes them all the time.
 */
export function holdingsKey(balances: Balances): string {
  return balances.map(({ available, locked, collateral }) => `${available} ${locked} ${collateral}`).join(', ')
}

/**
 * The change from the start of the summary to a total, by prices, swaps, interest and rewards. Both are plain decimal text;
 * the fraction is cut toward zero, and null where nothing was invested.
 *
 * @param totalUnits the value held now less the debts, with 18 decimals.
 */
export function changeUpTo(
  totalUnits: bigint,
  performance: Performance,
): { readonly change: string; readonly fraction: string | null } {
  const invested = unitsOf(performance.start_net_usdt) + unitsOf(performance.transferred_in_usdt)
  const left = unitsOf(performance.transferred_out_usdt) + unitsOf(performance.activation_usdt)
  const change = totalUnits - invested + left
  return {
    change: formatUnits(change, DECIMALS),
    fraction: invested > 0n ? formatUnits((change * ONE) / invested, DECIMALS) : null,
  }
}

/** Reads a figure of the server, which is below zero where debts exceed the holdings. */
function unitsOf(text: string): bigint {
  const units = parseUnits(text.replace(/^-/, ''), DECIMALS)
  if (units === undefined) throw new TypeError(`not an amount: ${JSON.stringify(text)}`)
  return text.startsWith('-') ? -units : units
}
