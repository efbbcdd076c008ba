import { Button, type ButtonProps, buttonClass } from '@clearwell/ui/components/button.tsx'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useConfig } from '../api/config.ts'
import { m } from '../generated/messages.ts'
import { useWallet, wallet } from '../wallet/wallet.ts'
import { ConnectButton } from './connect-button.tsx'
import { useAccount } from './use-account.ts'
import { useIsLeaving } from './use-is-leaving.ts'

/**
 * The main action of a screen. Until it can be done it is the step that is missing: connect, switch the network,
 * activate the account. `needs`: taking one's own money out never needs an activation. `open` and `activation` are locked while the
 * account is leaving, `session` is not.
 */
export function GatedButton({ needs, ...action }: ButtonProps & { needs: 'session' | 'open' | 'activation' }) {
  const { signedIn, user } = useAccount()
  const { wrongNetwork } = useWallet()
  const isLeaving = useIsLeaving()
  if (!signedIn) return <ConnectButton className={action.className} />
  if (isLeaving && needs !== 'session') return <LockedButton {...action} />
  if (wrongNetwork) return <SwitchNetworkButton />
  if (needs === 'activation' && user?.activated === false)
    return (
      <Link to="/{-$locale}/swap/activate" className={buttonClass()}>
        {m.nav_activate_now()}
      </Link>
    )
  return <Button {...action} />
}

/** The exit of the account locks the action: the button keeps its name, and a link to the exit is above it. */
function LockedButton(action: ButtonProps) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-center text-secondary text-muted text-phrases">
        {m.account_locked()}{' '}
        <Link to="/{-$locale}/wallet/exit" className="-my-2 inline-block py-3 text-accent underline underline-offset-4">
          {m.exit_banner_open()}
        </Link>
      </p>
      <Button {...action} look="idle" disabled />
    </div>
  )
}

function SwitchNetworkButton() {
  const { label, busy, switchNetwork } = useNetworkSwitch()
  return (
    <Button icon="network" busy={busy} onClick={switchNetwork}>
      {label}
    </Button>
  )
}

/** Asks the wallet to switch to the network that Clearwell works on. */
export function useNetworkSwitch() {
  const config = useConfig()
  const [busy, setBusy] = useState(false)
  const switchNetwork = () => {
    setBusy(true)
    wallet()
      .then((core) => core.switchToRequiredChain())
      .catch(async (error: unknown) => showToast((await import('../wallet/wallet-error.ts')).walletErrorText(error)))
      .finally(() => setBusy(false))
  }
  return { label: m.app_network_switch_to({ name: config?.chain.name ?? '' }), busy, switchNetwork }
}
