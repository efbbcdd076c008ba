import { SwitchNetworkButton } from '../account/gated-button.tsx'
import { useConfig } from '../api/config.ts'
import { m } from '../generated/paraglide/messages.js'
import { useWallet } from '../wallet/wallet.ts'

/** Says that the wallet is on another network than Clearwell, and offers to switch it. */
export default function WrongNetworkBanner() {
  const config = useConfig()
  const { wrongNetwork } = useWallet()
  if (!wrongNetwork || !config) return null
  return (
    <div role="alert" className="flex flex-col gap-2 border-b border-line px-4 py-3">
      <p className="text-warn">{m.app_network_wrong_text({ name: config.chain.name })}</p>
      <SwitchNetworkButton />
    </div>
  )
}
