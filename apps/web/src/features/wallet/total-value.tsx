import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../api/use-call.ts'
import { HIDDEN_TEXT, useHiddenAmounts } from '../../browser/hidden-amounts.ts'
import { Card } from '../../components/card.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatUsdt } from '../../i18n/format.ts'

/** The value of everything held, in USDT; the user can hide it from bystanders. */
export function TotalValue() {
  const { signedIn } = useAccount()
  const balances = useCall('balances', {}, { refetchInterval: 10_000 })
  const { hidden, toggle } = useHiddenAmounts()
  if (!signedIn) return <SignedOut />
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
          className="-my-2"
        />
        {balances.isError && <span className="text-warn">{m.ui_stale()}</span>}
      </div>
      {total ? (
        <p className="figures text-total [overflow-wrap:anywhere]">
          {hidden ? HIDDEN_TEXT : formatUsdt(total.usdt)} <span className="text-body text-muted">USDT</span>
        </p>
      ) : (
        <Skeleton className="h-11 w-48" />
      )}
      {total && total.unpriced.length > 0 && (
        <p className="text-label text-warn">{m.wallet_unpriced({ assets: total.unpriced.join(' · ') })}</p>
      )}
    </section>
  )
}

function SignedOut() {
  return (
    <Card className="flex flex-col gap-4">
      <p>{m.wallet_signed_out()}</p>
      <GatedButton needs="session">{m.nav_connect()}</GatedButton>
    </Card>
  )
}

/** The sum of the priced assets, and the held assets without a price. */
export function totalOf(balances: ResponseOf<'balances'>): { usdt: string; unpriced: string[] } {
  let units = 0n
  const unpriced: string[] = []
  for (const { asset, total, value_usdt } of balances) {
    if (value_usdt !== null) units += parseUnits(value_usdt, 18) ?? 0n
    else if (/[1-9]/.test(total)) unpriced.push(asset)
  }
  return { usdt: formatUnits(units, 18), unpriced }
}
