import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Card } from '@clearwell/ui/components/card.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { RollingNumber } from '@clearwell/ui/components/rolling-number.tsx'
import { formatUsdt } from '@clearwell/ui/i18n/format.ts'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { ChangeText, DayChange } from './day-change.tsx'
import { PERFORMANCE, TOTAL_USDT } from './wallet.samples.ts'

const DECIMALS = 18
const SAMPLE_UNITS = unitsOf(TOTAL_USDT)

/** The value of everything held less the debts, in USDT; the user can hide it from bystanders. */
export function TotalValue() {
  const { signedIn } = useAccount()
  const balances = useCall('balances', {}, { refetchInterval: 10_000 })
  const { hidden, toggle } = useHiddenAmounts()
  if (!signedIn) return <SignedOut title={m.wallet_signed_out()} />
  if (balances.isError && !balances.data)
    return (
      <Card>
        <ErrorState error={balances.error} onRetry={balances.refetch} />
      </Card>
    )
  const total = balances.data && totalOf(balances.data)
  return (
    <section aria-label={m.wallet_total()} aria-busy={!total} className="flex flex-col gap-1 py-2">
      <div className="flex items-center gap-1 text-label text-muted">
        {m.wallet_total()}
        <IconButton
          icon={hidden ? 'eye-off' : 'eye'}
          label={hidden ? m.wallet_show() : m.wallet_hide()}
          aria-pressed={hidden}
          onClick={toggle}
          // Above the figure, which would take the lower edge of its target.
          className="relative -my-2"
        />
        {balances.isError && <span className="text-warn">{m.ui_stale()}</span>}
      </div>
      {total ? (
        <>
          <Total units={total.units} hidden={hidden} />
          <DayChange
            balances={balances.data}
            totalUnits={total.unpriced.length > 0 ? undefined : total.units}
            hidden={hidden}
          />
        </>
      ) : (
        <Pending>
          <Total units={SAMPLE_UNITS} hidden={false} />
          <ChangeText totalUnits={SAMPLE_UNITS} performance={PERFORMANCE} hidden={false} />
        </Pending>
      )}
      {total && total.unpriced.length > 0 && (
        <p className="text-label text-warn">{m.wallet_unpriced({ assets: total.unpriced.join(' · ') })}</p>
      )}
    </section>
  )
}

function Total({ units, hidden }: { units: bigint; hidden: boolean }) {
  return (
    <p className="figures text-total [overflow-wrap:anywhere]">
      {hidden ? HIDDEN_TEXT : <RollingNumber text={formatUsdt(formatUnits(units, DECIMALS))} />}{' '}
      <span className="text-body text-muted">USDT</span>
    </p>
  )
}

/** The sum of the priced assets less the debts in them, and the held or owed assets without a price. */
export function totalOf(balances: ResponseOf<'balances'>): { units: bigint; unpriced: string[] } {
  let units = 0n
  const unpriced: string[] = []
  for (const { asset, total, value_usdt, owed, owed_usdt } of balances) {
    if (value_usdt !== null && owed_usdt !== null) units += unitsOf(value_usdt) - unitsOf(owed_usdt)
    else if (/[1-9]/.test(total + owed)) unpriced.push(asset)
  }
  return { units, unpriced }
}

function unitsOf(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n
}
