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
    // A name that does not fit whole wraps into a second line, which is cut off: the dot says enough, half a name does not.
    <span
      title={m.app_network_on({ name })}
      className="inline-flex h-5 min-w-2 flex-1 basis-2 flex-wrap justify-end gap-x-1.5 overflow-hidden text-label text-muted leading-5"
    >
      <span className="flex h-5 items-center">
        <span className={cx('size-2 rounded-full', wrongNetwork ? 'bg-warn' : 'bg-accent')} />
      </span>
      <span className="sr-only">{wrongNetwork ? m.app_network_wrong() : m.app_network_on({ name })}</span>
      <span aria-hidden="true" className="whitespace-nowrap">
        {name}
      </span>
    </span>
  )
}
