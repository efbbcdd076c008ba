import { Button } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { useAccount } from '../../account/use-account.ts'
import { requestSignIn } from '../../api/session-store.ts'
import { m } from '../../generated/messages.ts'
import { useWatchedKind } from './alert.queries.ts'
import { AlertForm } from './alert-form.tsx'
import { PushSwitch } from './push-switch.tsx'
import { WaitingAlerts } from './waiting-alerts.tsx'

/** My alerts: a new one, the waiting ones, and notifications on this device. Delivered alerts are notices. */
export default function AlertSheet({
  symbol,
  price,
  at,
  decimals,
  onClose,
}: {
  symbol: string
  /** The price now, as plain decimal text; empty while none is known. */
  price: string
  /** The price that was pressed, which fills the form; without it, a price a little away from the one now. */
  at: string | undefined
  /** The decimals that the market shows its prices with. */
  decimals: number
  onClose: () => void
}) {
  const { signedIn, user } = useAccount()
  const kind = useWatchedKind(symbol)
  return (
    <Sheet title={m.alert_title()} text={kind === 'pool' ? m.alert_intro_pool() : m.alert_intro()} onClose={onClose}>
      {signedIn ? (
        <>
          <AlertForm symbol={symbol} kind={kind} price={price} at={at} decimals={decimals} />
          <WaitingAlerts />
          {user && <PushSwitch owner={user.address} />}
        </>
      ) : (
        <EmptyState
          icon="bell"
          title={m.alert_signed_out()}
          text={m.alert_signed_out_text()}
          action={
            <Button icon="wallet" onClick={() => void requestSignIn()}>
              {m.alert_sign_in()}
            </Button>
          }
        />
      )}
    </Sheet>
  )
}
