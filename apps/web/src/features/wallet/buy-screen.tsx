import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { type Config, useConfig } from '../../api/config.ts'
import { m } from '../../generated/paraglide/messages.js'
import { AmountField } from '../../ui/amount-field.tsx'
import { AmountText } from '../../ui/amount-text.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { formatAmount } from '../../ui/format.ts'
import { Screen } from '../../ui/screen.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Stat } from '../../ui/stat.tsx'
import { Faucet } from './faucet-button.tsx'
import { FeeText } from './fee-text.tsx'
import { type AmountProblem, amountProblem, mostToTransfer, networkFee } from './transfer-amount.ts'
import type { TransferDraft } from './transfer-draft.ts'
import { type ConfiguredAsset, chainAssets, useChainBalance, useGasPrice, useVaultAllowance } from './wallet.queries.ts'

/** Transfer in, first step: which asset and how much. */
export function BuyScreen({ draft }: { draft: TransferDraft }) {
  const config = useConfig()
  if (!config)
    return (
      <Screen title={m.title_wallet_buy()}>
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-4">
          <Skeleton className="h-13" />
          <Skeleton className="h-35" />
          <Skeleton className="h-60" />
        </div>
      </Screen>
    )
  return <BuyForm config={config} draft={draft} />
}

function BuyForm({ config, draft }: { config: Config; draft: TransferDraft }) {
  const navigate = useNavigate()
  const { assets, native } = chainAssets(config)
  const wanted = draft.asset ?? config.fees.activation.asset
  const [chosen, setChosen] = useState(wanted)
  const [amount, setAmount] = useState(draft.amount ?? '')
  /** Until the first press of the button an amount is still being typed: too little may become enough. */
  const [tried, setTried] = useState(false)
  const asset = assets.find((each) => each.asset === chosen) ?? assets[0]
  const { balance, fee, gasShort } = useMeans(asset, native)
  if (!asset) return null

  const problem = amountProblem(amount, asset, balance)
  const shown = tried || problem === 'over_balance' || problem === 'over_max' ? problem : undefined
  const goOn = async () => {
    setTried(true)
    if (problem) return
    const search = { asset: asset.asset, amount }
    // Coming back finds what was typed.
    await navigate({ to: '/{-$locale}/wallet/buy', search, replace: true })
    await navigate({ to: '/{-$locale}/wallet/confirmation', search })
  }
  return (
    <Screen
      title={m.title_wallet_buy()}
      action={
        <GatedButton needs="session" onClick={goOn}>
          {m.wallet_continue()}
        </GatedButton>
      }
    >
      <p className="text-muted">{m.wallet_buy_intro()}</p>
      <SegmentedControl
        label={m.wallet_asset()}
        options={assets.map((each) => ({ value: each.asset, label: each.asset }))}
        value={asset.asset}
        onChange={(next) => {
          setChosen(next)
          setAmount('')
          setTried(false)
        }}
      />
      <AmountField
        label={m.wallet_amount()}
        value={amount}
        onChange={setAmount}
        asset={asset.asset}
        decimals={asset.decimals}
        balance={balance === undefined ? undefined : formatUnits(balance, asset.decimals)}
        spendable={
          balance === undefined ? undefined : mostToTransfer(balance, asset, asset.kind === 'native' ? (fee ?? 0n) : 0n)
        }
        balanceLabel={m.wallet_in_wallet()}
        error={problemText(shown, asset)}
        {...(asset.kind === 'native' ? { hint: m.wallet_max_keeps_gas({ coin: asset.asset }) } : {})}
      />
      {gasShort && native && <p className="text-warn">{m.wallet_gas_short({ coin: native.asset })}</p>}
      <Card className="pb-1.5">
        <div className="mb-1.5 grid grid-cols-2 items-end gap-4 border-b border-line pb-3">
          <Stat
            size="body"
            label={m.wallet_min_in()}
            value={<AmountText amount={asset.min_in} asset={asset.asset} places={asset.decimals} />}
          />
          <Stat
            size="body"
            label={m.wallet_max_in()}
            value={<AmountText amount={asset.max_in} asset={asset.asset} places={asset.decimals} />}
          />
        </div>
        <FactList
          facts={[
            { label: m.wallet_fee(), value: <FeeText fee={fee} native={native} /> },
            { label: m.wallet_confirmations(), value: config.chain.confirmations },
            {
              label: m.wallet_will_ask(),
              value: asset.kind === 'native' ? m.wallet_will_ask_native() : m.wallet_will_ask_token(),
            },
          ]}
        />
      </Card>
      {balance === 0n && <Faucet />}
    </Screen>
  )
}

/** What the wallet holds, what the network takes, and whether it has the coin for that. */
function useMeans(asset: ConfiguredAsset | undefined, native: ConfiguredAsset | undefined) {
  const balance = useChainBalance(asset).data
  const coin = useChainBalance(native).data
  const gasPrice = useGasPrice().data
  const allowance = useVaultAllowance(asset).data
  const isNative = asset?.kind === 'native'
  const approves = !isNative && (allowance ?? 0n) === 0n
  const fee = gasPrice === undefined ? undefined : networkFee({ native: isNative, approves }, gasPrice)
  return { balance, fee, gasShort: fee !== undefined && coin !== undefined && coin < fee }
}

function problemText(problem: AmountProblem, asset: ConfiguredAsset): string | undefined {
  const amount = (text: string) => `${formatAmount(text)} ${asset.asset}`
  switch (problem) {
    case undefined:
      return undefined
    case 'missing':
      return m.wallet_enter_amount()
    case 'invalid':
      return m.wallet_invalid_input()
    case 'under_min':
      return m.wallet_under_min({ min: amount(asset.min_in) })
    case 'over_max':
      return m.wallet_over_max({ max: amount(asset.max_in) })
    case 'over_balance':
      return m.wallet_balance_not_enough()
  }
}

/** Whether a draft may be confirmed: it names an asset of the chain and an amount within the limits. */
export function confirmable(draft: TransferDraft, config: Config) {
  const asset = chainAssets(config).assets.find((each) => each.asset === draft.asset)
  if (!asset || draft.amount === undefined || amountProblem(draft.amount, asset, undefined)) return undefined
  return { asset, amount: draft.amount, units: parseUnits(draft.amount, asset.decimals) ?? 0n }
}
