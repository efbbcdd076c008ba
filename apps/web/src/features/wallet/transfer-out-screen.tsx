import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { cutDecimals, parseUnits } from '@clearwell/money/decimal'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { shortHex } from '@clearwell/ui/i18n/format.ts'
import { useAccount } from '../../account/use-account.ts'
import { CONFIG } from '../../api/config.samples.ts'
import { type Config, useConfig } from '../../api/config.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { type ConfiguredAsset, chainAssets, useAvailable, useChainBalance } from '../../vault-payment/payment-assets.ts'
import { limitsOut, mostToTransfer } from './transfer-amount.ts'
import type { TransferDraft } from './transfer-draft.ts'
import { readDraft } from './transfer-draft.ts'
import { FeeText, type TransferForm, TransferFormScreen, useTransferForm } from './transfer-form.tsx'
import { TransferOutToday } from './transfer-out-today.tsx'
import { useNetworkFee, useTransferOutLimit } from './wallet.queries.ts'

/** Transfer out, first step: which asset and how much. */
export default function TransferOutScreen() {
  const draft = useReadSearch(readDraft)
  const config = useConfig()
  return config ? (
    <Begin config={config} draft={draft} />
  ) : (
    <PendingScreen>
      <Begin config={CONFIG} draft={{ asset: 'BNB' }} />
    </PendingScreen>
  )
}

function Begin({ config, draft }: { config: Config; draft: TransferDraft }) {
  const form = useTransferForm(config, 'out', draft)
  return form ? <TransferOutForm form={form} /> : null
}

function TransferOutForm({ form }: { form: TransferForm }) {
  const { config, asset } = form
  const { native } = chainAssets(config)
  const { user } = useAccount()
  const balances = useCall('balances', {})
  const balance = useAvailableUnits(form)
  const coin = useChainBalance(native).data
  const fee = useNetworkFee('out')
  const limit = useTransferOutLimit(asset.asset)
  const today = limit && unitsOnChain(limit.available_today, asset)
  return (
    <TransferFormScreen
      form={form}
      way="out"
      texts={{
        title: m.title_wallet_sell(),
        intro: m.wallet_out_intro(),
        balance: m.wallet_available(),
        min: m.wallet_out_min(),
        max: m.wallet_out_max(),
        underMin: (min) => m.wallet_out_under_min({ min }),
        overMax: (max) => m.wallet_out_over_max({ max }),
        overToday: (max) => m.wallet_out_over_today({ max }),
      }}
      limits={limitsOut(asset)}
      balance={balance}
      today={today}
      facts={[
        ...(user ? [{ label: m.wallet_out_to(), value: <OwnAddress address={user.address} /> }] : []),
        { label: m.wallet_fee(), value: <FeeText fee={fee} native={native} /> },
        { label: m.wallet_out_takes(), value: m.wallet_out_takes_value({ n: config.chain.confirmations }) },
        { label: m.wallet_will_ask(), value: m.wallet_out_asks() },
      ]}
      notes={
        balances.isError && !balances.data ? (
          <ErrorState error={balances.error} onRetry={balances.refetch} />
        ) : balance === 0n ? (
          <p className="text-muted">{m.wallet_out_empty({ asset: asset.asset })}</p>
        ) : (
          <>
            {/* The room of the line that comes. */}
            {user && !limit && <span className="h-7" />}
            {limit && today !== undefined && (
              <TransferOutToday
                asset={asset}
                onUse={(amount) => form.setAmount(mostToTransfer(amount, limitsOut(asset), 0n))}
                limit={limit}
                today={today}
                balance={balance}
              />
            )}
            {fee !== undefined && coin !== undefined && coin < fee && native && (
              <p className="text-warn">{m.wallet_gas_short({ coin: native.asset })}</p>
            )}
          </>
        )
      }
    />
  )
}

function OwnAddress({ address }: { address: string }) {
  return (
    <span className="-my-3 -me-2 inline-flex items-center whitespace-nowrap" title={address}>
      <span className="font-mono text-label">{shortHex(address)}</span>
      <CopyButton text={address} label={m.wallet_out_copy_to()} />
    </span>
  )
}

/** The amount that can go out, in the asset's units on the chain. A finer remainder stays. */
function useAvailableUnits({ asset }: TransferForm): bigint | undefined {
  const available = useAvailable(asset.asset)
  return available === undefined ? undefined : unitsOnChain(available, asset)
}

function unitsOnChain(amount: string, { asset, decimals }: ConfiguredAsset): bigint | undefined {
  return parseUnits(cutDecimals(amount, Math.min(decimals, ASSET_DECIMALS[asset])), decimals)
}
