import { useConfig } from '../api/config.ts'
import { cx } from '../browser/cx.ts'
import { m } from '../generated/paraglide/messages.js'
import { useWallet } from '../wallet/wallet.ts'

/**
 * Shows the network that Clearwell works on; amber while the wallet is on another. Its space is reserved before the
 * network is known, so that its neighbours do not move under a finger.
 */
export function NetworkBadge() {
  const config = useConfig()
  const { wrongNetwork } = useWallet()
  return (
    // A name that does not fit whole wraps into a second line, which is cut off: the dot says enough, half a name does not.
    <span
      title={config && m.app_network_on({ name: config.chain.name })}
      className="inline-flex h-5 min-w-2 flex-1 basis-2 flex-wrap justify-end gap-x-1.5 overflow-hidden text-label text-muted leading-5"
    >
      {config && <Network name={config.chain.name} isWrong={wrongNetwork} />}
    </span>
  )
}

function Network({ name, isWrong }: { name: string; isWrong: boolean }) {
  return (
    <>
      <span className="flex h-5 items-center">
        <span className={cx('size-2 rounded-full', isWrong ? 'bg-warn' : 'bg-accent')} />
      </span>
      <span className="sr-only">{isWrong ? m.app_network_wrong() : m.app_network_on({ name })}</span>
      <span aria-hidden="true" className="whitespace-nowrap">
        {name}
      </span>
    </>
  )
}
