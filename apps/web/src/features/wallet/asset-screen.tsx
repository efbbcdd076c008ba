import { type AssetId, isAssetId } from '@clearwell/money/asset'
import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Loaded, Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { formatUsdt } from '@clearwell/ui/i18n/format.ts'
import { Link } from '@tanstack/react-router'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'
import { BALANCES_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { Part } from '../../manifest/parts.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { AssetList, type Balance } from './asset-list.tsx'
import { AssetPrice } from './asset-price.tsx'
import { BALANCE, BALANCES } from './wallet.samples.ts'
import { ACTION, ActionFace, ROW_OF_ACTIONS } from './wallet-actions.tsx'

/** The asset to show; without one the screen lists them. */
export interface ShownAsset {
  readonly asset?: AssetId | undefined
}

/** `?asset=BNB` shows an asset. */
function readAsset({ asset }: Record<string, unknown>): ShownAsset {
  return isAssetId(asset) ? { asset } : {}
}

/** One asset: its balance by state, actions, price and history. Without an asset, the list to choose from. */
export default function AssetScreen() {
  const { asset } = useReadSearch(readAsset)
  return <AssetOrList key={asset} asset={asset} />
}

function AssetOrList({ asset }: ShownAsset) {
  const { signedIn } = useAccount()
  const balances = useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS })
  const balance = balances.data?.find((each) => each.asset === asset)
  return (
    <Screen
      title={asset ?? m.title_wallet_asset()}
      aside={balances.isError && balances.data && <span className="text-label text-warn">{m.ui_stale()}</span>}
    >
      {!signedIn ? (
        <SignedOut title={m.wallet_signed_out()} />
      ) : balances.isError && !balances.data ? (
        <ErrorState error={balances.error} onRetry={balances.refetch} />
      ) : asset === undefined ? (
        <>
          <p className="text-muted">{m.wallet_asset_choose()}</p>
          <Loaded read={balances} sample={BALANCES}>
            {(held) => <AssetList balances={held} />}
          </Loaded>
        </>
      ) : (
        <>
          <AssetTotal asset={asset} balance={balance} />
          <AssetActions asset={asset} />
          {balance ? (
            <BalanceStates balance={balance} />
          ) : (
            <Pending>
              <BalanceStates balance={BALANCE} />
            </Pending>
          )}
          <Part of="owedAdvance" />
        </>
      )}
      {asset && <AssetPrice asset={asset} />}
      {signedIn && asset && <Part of="assetActivity" asset={asset} />}
    </Screen>
  )
}

function AssetTotal({ asset, balance }: { asset: AssetId; balance: Balance | undefined }) {
  const name = useConfig()?.assets.find((each) => each.asset === asset)?.name
  return (
    <section aria-label={m.wallet_asset_balance()} className="flex flex-col gap-2">
      <span className="flex items-center gap-2 text-muted">
        <TokenMark asset={asset} />
        {/* The title is the symbol already. */}
        {name !== asset && name}
      </span>
      {balance ? (
        <Amount balance={balance} />
      ) : (
        <Pending>
          <Amount balance={{ ...BALANCE, asset }} />
        </Pending>
      )}
    </section>
  )
}

function Amount({ balance: { asset, total, value_usdt: value } }: { balance: Balance }) {
  const { hidden } = useHiddenAmounts()
  return (
    <>
      <p className="text-total [overflow-wrap:anywhere]">
        {hidden ? HIDDEN_TEXT : <AmountText amount={total} className="whitespace-normal" />}{' '}
        <span className="text-body font-normal tracking-normal text-muted">{asset}</span>
      </p>
      {asset !== 'USDT' && (
        <p className="figures text-muted">
          {value === null ? m.wallet_no_price() : hidden ? HIDDEN_TEXT : `≈ ${formatUsdt(value)} USDT`}
        </p>
      )}
    </>
  )
}

/** RT lives in the ledger only, so it is neither transferred in nor out. */
function AssetActions({ asset }: { asset: AssetId }) {
  const config = useConfig()
  const kind = config?.assets.find((each) => each.asset === asset)?.kind
  const isOnChain = kind !== 'ledger'
  // USDT is a side of every pair: it needs no choice.
  const pair = asset === 'USDT' ? {} : { pair: `${asset}USDT` }
  return (
    <nav aria-label={m.wallet_actions()} className={ROW_OF_ACTIONS}>
      {isOnChain && (
        <>
          <Link to="/{-$locale}/wallet/buy" search={{ asset }} className={ACTION}>
            <ActionFace icon="arrow-down-to-line" label={m.wallet_transfer_in()} isMain />
          </Link>
          <Link to="/{-$locale}/wallet/sell" search={{ asset }} className={ACTION}>
            <ActionFace icon="arrow-up-from-line" label={m.wallet_transfer_out()} />
          </Link>
        </>
      )}
      <Link to="/{-$locale}/swap/exchange" search={pair} className={ACTION}>
        <ActionFace icon="arrow-left-right" label={m.wallet_swap()} isMain={!isOnChain} />
      </Link>
      {asset !== 'USDT' && (
        <Link to="/{-$locale}/markets/$name" params={{ name: `${asset}USDT` }} className={ACTION}>
          <ActionFace icon="chart-no-axes-combined" label={m.wallet_asset_market()} />
        </Link>
      )}
    </nav>
  )
}

/** The balance by state: what can be used, and what cannot and why. */
function BalanceStates({ balance }: { balance: Balance }) {
  const { hidden } = useHiddenAmounts()
  const { asset, available, locked, pledged, collateral } = balance
  const isHeld = (amount: string) => /[1-9]/.test(amount)
  const states = [
    { label: m.wallet_available(), amount: available },
    { label: m.wallet_locked(), amount: locked },
    ...(isHeld(pledged) ? [{ label: m.wallet_asset_pledged(), amount: pledged }] : []),
    ...(isHeld(collateral) ? [{ label: m.wallet_asset_collateral(), amount: collateral }] : []),
    ...(isHeld(pledged) || isHeld(collateral) ? [] : [{ label: m.wallet_positions(), amount: '0' }]),
  ]
  return (
    <Section>
      <FactList
        facts={states.map(({ label, amount }) => ({
          label,
          value: hidden ? HIDDEN_TEXT : <AmountText amount={amount} asset={asset} />,
        }))}
      />
    </Section>
  )
}
