import { useConfig } from '../api/config.ts'
import { m } from '../generated/paraglide/messages.js'
import { cx } from '../ui/cx.ts'
import { useWallet } from '../wallet/wallet.ts'

/** The network that Clearwell works on; amber while the wallet is on another. */
export function NetworkBadge() {
  const config = useConfig()
  const { wrongNetwork } = useWallet()
  if (!config) return null
  const { name } = config.chain
  return (
    <span title={m.app_network_on({ name })} className="inline-flex min-w-0 items-center gap-1.5 text-label text-muted">
      <span className={cx('size-2 shrink-0 rounded-full', wrongNetwork ? 'bg-warn' : 'bg-accent')} />
      <span className="sr-only">{wrongNetwork ? m.app_network_wrong() : m.app_network_on({ name })}</span>
      <span aria-hidden="true" className="truncate max-[374px]:hidden">
        {name}
      </span>
    </span>
  )
}
