import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useAccount } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'
import { BALANCES_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { Part } from '../../manifest/parts.ts'
import { AssetList, BalanceValues } from './asset-list.tsx'
import { Faucet } from './faucet-button.tsx'
import PendingTransfers from './pending-transfers.tsx'
import { TotalValue } from './total-value.tsx'
import { BALANCES } from './wallet.samples.ts'
import { WalletActions } from './wallet-actions.tsx'

/** The account's value and its parts, its four actions, activation until it is done, its assets, their value over time, and its records. */
export default function WalletScreen() {
  const { signedIn, user } = useAccount()
  const balances = useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS })
  // The total reports the failure, and retries.
  const failed = balances.isError && !balances.data
  return (
    <Screen
      title={m.nav_my_wallet()}
      aside={
        user &&
        (user.activated ? <Badge tone="done">{m.wallet_activated()}</Badge> : <Badge>{m.wallet_inactive()}</Badge>)
      }
    >
      <TotalValue />
      {signedIn && (
        <>
          <WalletActions />
          {!failed && (
            <Loaded read={balances} sample={BALANCES}>
              {(held) => <BalanceValues balances={held} />}
            </Loaded>
          )}
          <Part of="owedAdvance" />
          <Part of="activationBanner" />
          <PendingTransfers />
          {!failed && (
            <Loaded read={balances} sample={BALANCES}>
              {(held) => <AssetList balances={held} />}
            </Loaded>
          )}
          <Part of="walletValue" />
          <Part of="balanceCheck" />
          <Part of="records" />
          <ExitLink />
        </>
      )}
      <Faucet />
    </Screen>
  )
}

/** Leads to the screen of exits, where the vault has them. */
function ExitLink() {
  const hasExits = useConfig()?.vault_exits === true
  return (
    hasExits && (
      <Link
        to="/{-$locale}/wallet/exit"
        className="flex min-h-14 items-center gap-3 border-t border-line text-muted hover:text-text"
      >
        <Icon name="arrow-up-from-line" />
        <span className="min-w-0 flex-1">{m.exit_title()}</span>
        <Icon name="chevron-right" />
      </Link>
    )
  )
}
