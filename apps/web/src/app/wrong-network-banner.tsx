import { useNetworkSwitch } from '../account/gated-button.tsx'
import { useConfig } from '../api/config.ts'
import { m } from '../generated/messages.ts'
import { useWallet } from '../wallet/wallet.ts'

/** Says that the wallet is on another network than Clearwell, and offers to switch it. The screen's own button is the large one. */
export default function WrongNetworkBanner() {
  const config = useConfig()
  const { wrongNetwork } = useWallet()
  const { label, busy, switchNetwork } = useNetworkSwitch()
  if (!wrongNetwork || !config) return null
  return (
    <div role="alert" className="flex items-center gap-2 border-b border-line ps-4 pe-2 text-label text-warn">
      <p className="flex-1 py-2 text-phrases">{m.app_network_wrong_text({ name: config.chain.name })}</p>
      <button
        type="button"
        aria-disabled={busy || undefined}
        aria-busy={busy || undefined}
        onClick={busy ? undefined : switchNetwork}
        className="min-h-11 shrink-0 rounded-control px-2 font-semibold underline underline-offset-2"
      >
        {label}
      </button>
    </div>
  )
}
