import { useState } from 'react'
import { m } from '../generated/messages.ts'
import { errorText } from '../i18n/error-text.ts'
import { Icon } from '../icons/icon.tsx'
import { Button } from './button.tsx'
import { explicitRead } from './explicit-read.ts'

/** `none`: not a command that moves money. `no`: no money moved. `unknown`: it may have moved; the orders say. */
export type MoneyMoved = 'none' | 'no' | 'unknown'

/** Shows an error: the event, whether money moved, and the next step. */
export function ErrorState({
  error,
  moneyMoved = 'none',
  onRetry,
}: {
  error: unknown
  moneyMoved?: MoneyMoved
  /** A query's `refetch`, or another retry. The button is busy until it settles; another failure shows in a dialog. */
  onRetry?: () => unknown
}) {
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    await explicitRead(() => onRetry?.())
    setBusy(false)
  }
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-8 text-center text-phrases">
      <Icon name="circle-alert" className="size-6 text-warn" />
      <p>{errorText(error)}</p>
      {moneyMoved === 'no' && <p className="text-muted">{m.ui_no_money_moved()}</p>}
      {moneyMoved === 'unknown' && <p className="text-warn">{m.ui_money_unknown()}</p>}
      {onRetry && (
        <Button look="quiet" size="small" icon="refresh-cw" busy={busy} onClick={retry}>
          {m.app_retry()}
        </Button>
      )}
    </div>
  )
}
