import { cx } from '@clearwell/ui/browser/cx.ts'
import { useConfig } from '../api/config.ts'
import { m } from '../generated/messages.ts'
import { useWallet } from '../wallet/wallet.ts'

/**
 * Names the network that Clearwell works on; amber while the wallet is on another. Its line is reserved before the network
 * is known, so that its neighbours do not move under a finger.
 */
export function NetworkBadge() {
  const config = useConfig()
  const { wrongNetwork } = useWallet()
  return (
    <span
      title={config && m.app_network_on({ name: config.chain.name })}
      className={cx('flex min-h-4 min-w-0 items-center gap-1 text-label', wrongNetwork ? 'text-warn' : 'text-muted')}
    >
      {config && <Network name={config.chain.name} isWrong={wrongNetwork} />}
    </span>
  )
}

function Network({ name, isWrong }: { name: string; isWrong: boolean }) {
  return (
    <>
      <span className={cx('size-2 shrink-0 rounded-full', isWrong ? 'bg-warn' : 'bg-accent')} />
      <span className="sr-only">{isWrong ? m.app_network_wrong() : m.app_network_on({ name })}</span>
      <span aria-hidden="true" className="line-clamp-2 max-magnified:line-clamp-none text-balance">
        {name}
      </span>
    </>
  )
}
