import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { useCall } from '../../api/use-call.ts'
import { PartAway } from '../../components/part-away.tsx'
import { m } from '../../generated/messages.ts'
import { chainUnits, useAvailable, useChainBalance } from '../../vault-payment/payment-assets.ts'
import { RetrieveButton } from '../../vault-payment/retrieve-button.tsx'
import { useWallet } from '../../wallet/wallet.ts'
import type { ActiveStatus } from './activation.queries.ts'
import { ActivationBenefits, ActivationPrice } from './activation-offer.tsx'

const ByWalletSheet = lazySheet(() => import('./by-wallet-sheet.tsx'))
const ByBalanceSheet = lazySheet(() => import('./by-balance-sheet.tsx'))
const RetrieveSheet = lazySheet(() => import('./retrieve-activation-sheet.tsx'))

type Way = 'wallet' | 'balance'

/** Before anything is ordered: the choice between paying by wallet and by balance. */
export function ActivateWays({ config, status, isStale }: { config: Config; status: ActiveStatus; isStale: boolean }) {
  const [chosen, setWay] = useState<Way>()
  const [confirming, setConfirming] = useState<Way>()
  const { signedIn } = useAccount()
  const available = useAvailable(status.asset)
  // The choice appears with its default: it would change under a finger.
  const isDeciding = useIsReadingBalance() && signedIn
  const isCovered = available !== undefined && !isLess(available, status)
  // The balance pays immediately and without a network fee.
  const way = chosen ?? (isCovered ? 'balance' : 'wallet')
  const isShort = way === 'balance' && isLess(available, status)
  const closed = status.opens_at !== undefined
  return (
    <Screen
      title={m.title_swap_activate()}
      aside={
        signedIn && (
          <span className="flex gap-2">
            {isStale && <Badge tone="warning">{m.ui_stale()}</Badge>}
            <Badge>{m.activation_inactive()}</Badge>
          </span>
        )
      }
      action={
        <GatedButton needs="open" disabled={closed || isShort || isDeciding} onClick={() => setConfirming(way)}>
          {way === 'wallet' ? m.activation_by_wallet_action() : m.activation_by_balance_action()}
        </GatedButton>
      }
    >
      {status.opens_at && (
        <p role="status" className="rounded-control border border-warn/50 px-3 py-3 text-warn">
          {sentences(m.activation_closed(), m.activation_opens_at({ time: formatDateTime(status.opens_at) }))}
        </p>
      )}
      <PartAway part="chain" text={m.activation_chain_away} />
      {/* The choice is near the price: on the shortest phone both are in sight. */}
      <Card className="flex flex-col gap-4">
        <ActivationPrice {...status} />
        {isDeciding ? (
          <Pending>
            <WayControl way={way} onChange={setWay} />
          </Pending>
        ) : (
          // Tab goes to the choice that was made when it mounted.
          <WayControl key={String(isCovered)} way={way} onChange={setWay} />
        )}
        {way === 'wallet' ? (
          <WalletWay config={config} status={status} />
        ) : (
          <BalanceWay available={available} isShort={isShort} asset={status.asset} />
        )}
      </Card>
      <ActivationBenefits features={config.features} />
      {signedIn && <RetrieveButton sheet={RetrieveSheet} />}
      {confirming === 'wallet' && (
        <ByWalletSheet config={config} price={status} onClose={() => setConfirming(undefined)} />
      )}
      {confirming === 'balance' && (
        <ByBalanceSheet price={status} available={available} onClose={() => setConfirming(undefined)} />
      )}
    </Screen>
  )
}

function WayControl({ way, onChange }: { way: Way; onChange: (way: Way) => void }) {
  return (
    <SegmentedControl
      label={m.activation_way()}
      options={[
        { value: 'wallet', label: m.activation_by_wallet() },
        { value: 'balance', label: m.activation_by_balance() },
      ]}
      value={way}
      onChange={onChange}
    />
  )
}

/** Returns whether the balance is read for the first time on this screen; one from before may miss a transfer in. */
function useIsReadingBalance(): boolean {
  const { isPending, isFetching, isFetchedAfterMount } = useCall('balances', {})
  return isPending || (isFetching && !isFetchedAfterMount)
}

/** Paying from the balance, and how to fill it up. */
function BalanceWay({
  available,
  isShort,
  asset,
}: {
  available: string | undefined
  isShort: boolean
  asset: ActiveStatus['asset']
}) {
  return (
    <div>
      <p className="text-muted">{m.activation_by_balance_text()}</p>
      {available !== undefined && (
        <FactList facts={[{ label: m.ui_available(), value: `${formatAmount(available)} ${asset}` }]} />
      )}
      {isShort && (
        <div className="flex items-center justify-between gap-3 pt-2">
          <p role="alert" className="text-warn">
            {m.activation_balance_not_enough()}
          </p>
          <Link to="/{-$locale}/wallet/buy" className={buttonClass('quiet')}>
            {m.activation_transfer_in()}
          </Link>
        </div>
      )}
    </div>
  )
}

/** The cost of paying by wallet, and the wallet's balances. */
function WalletWay({ config, status }: { config: Config; status: ActiveStatus }) {
  const { status: connection } = useWallet()
  const asset = config.assets.find((each) => each.asset === status.asset)
  const native = config.assets.find(({ kind }) => kind === 'native')
  const held = useChainBalance(asset)
  const gas = useChainBalance(native)
  const price = asset && chainUnits(status.price, asset.decimals)
  const isShort = held.data !== undefined && price !== undefined && held.data < price
  return (
    <div>
      <p className="text-muted">{m.activation_by_wallet_text({ count: config.chain.confirmations })}</p>
      {connection === 'connected' && asset && native && held.data !== undefined && (
        <FactList
          facts={[
            {
              label: m.activation_in_wallet(),
              value: `${formatAmount(formatUnits(held.data, asset.decimals))} ${asset.asset}`,
            },
            {
              label: m.activation_for_gas(),
              value:
                gas.data === undefined ? '' : `${formatAmount(formatUnits(gas.data, native.decimals))} ${native.asset}`,
            },
          ]}
        />
      )}
      {isShort && <p className="pt-2 text-warn">{m.activation_wallet_short({ asset: status.asset })}</p>}
      {gas.data === 0n && native && <p className="pt-2 text-warn">{m.activation_gas_short({ coin: native.asset })}</p>}
    </div>
  )
}

function isLess(available: string | undefined, { price, asset }: ActiveStatus): boolean {
  if (available === undefined) return false
  const units = (text: string) => parseUnits(text, ASSET_DECIMALS[asset]) ?? 0n
  return units(available) < units(price)
}
