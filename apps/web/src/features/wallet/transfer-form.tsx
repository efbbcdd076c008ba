import { isAssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { minUnits } from '@clearwell/money/min-max'
import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Stat } from '@clearwell/ui/components/stat.tsx'
import { formatAmount, formatOwedUsdt } from '@clearwell/ui/i18n/format.ts'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useKeptForm } from '../../account/use-kept-form.ts'
import type { Config } from '../../api/config.ts'
import { useCall } from '../../api/use-call.ts'
import { PartAway } from '../../components/part-away.tsx'
import { valueUsdt } from '../../components/sum-of-assets.tsx'
import { m } from '../../generated/messages.ts'
import { type ConfiguredAsset, chainAssets } from '../../vault-payment/payment-assets.ts'
import { type AmountProblem, amountProblem, type Limits, mostToTransfer } from './transfer-amount.ts'
import type { TransferDraft } from './transfer-draft.ts'

/** The input of the form: asset and amount. */
export interface TransferForm {
  readonly config: Config
  readonly asset: ConfiguredAsset
  readonly amount: string
  readonly setAmount: (amount: string) => void
  readonly choose: (asset: string) => void
  /** Until the first press of the button an amount is still being typed: too little may become enough. */
  readonly tried: boolean
  readonly setTried: (tried: boolean) => void
}

/** The kept form of each way. */
export const TRANSFER_FORMS = { in: 'transfer-in', out: 'transfer-out' } as const

/** @returns `undefined` where the operator has configured no asset of the chain. */
export function useTransferForm(config: Config, way: 'in' | 'out', draft: TransferDraft): TransferForm | undefined {
  const { assets } = chainAssets(config)
  const first = { asset: config.fees.activation.asset as string, amount: '' }
  const { asset: asked, amount: askedAmount } = draft
  const { fields, change } = useKeptForm(TRANSFER_FORMS[way], first, {
    ...(asked === undefined ? {} : { asset: asked }),
    ...(askedAmount === undefined ? {} : { amount: askedAmount }),
  })
  const [tried, setTried] = useState(false)
  const { amount } = fields
  const asset = assets.find((each) => each.asset === fields.asset) ?? assets[0]
  const setAmount = (next: string) => change({ amount: next })
  const choose = (next: string) => {
    change({ asset: next, amount: '' })
    setTried(false)
  }
  return asset && { config, asset, amount, setAmount, choose, tried, setTried }
}

/** The texts of a transfer's way, in or out. */
export interface TransferTexts {
  readonly title: string
  readonly intro: string
  readonly balance: string
  readonly min: string
  readonly max: string
  readonly underMin: (min: string) => string
  readonly overMax: (max: string) => string
  /** The amount exceeds what the daily limits leave. */
  readonly overToday?: (left: string) => string
}

interface TransferFormScreenProps {
  readonly form: TransferForm
  readonly way: 'in' | 'out'
  readonly texts: TransferTexts
  readonly limits: Limits
  /** The transferable balance in base units; `undefined` while it is unknown. */
  readonly balance: bigint | undefined
  /** The part of the balance that must stay for the network fee. */
  readonly kept?: bigint
  /** The amount that the daily limits leave, in base units; `undefined` where there are none or they are not known. */
  readonly today?: bigint | undefined
  readonly hint?: string | undefined
  readonly facts: readonly { label: string; value: ReactNode }[]
  /** Under the amount: obstacles. */
  readonly notes?: ReactNode
  readonly children?: ReactNode
}

/** The first step of a transfer: which asset and how much, with everything that bounds it in sight. */
export function TransferFormScreen(props: TransferFormScreenProps) {
  const { form, way, texts, limits, balance, kept = 0n, today, hint, facts, notes, children } = props
  const { config, asset, amount, setAmount, choose, tried, setTried } = form
  const { signedIn } = useAccount()
  const navigate = useNavigate()
  const problem = amountProblem(amount, limits, balance, today)
  const shown = tried || problem?.startsWith('over_') ? problem : undefined
  const goOn = async () => {
    setTried(true)
    if (problem) return
    const search = { asset: asset.asset, amount }
    await navigate({
      to: '/{-$locale}/wallet/confirmation',
      search: way === 'out' ? { ...search, way: 'out' } : search,
    })
  }
  return (
    <Screen
      title={texts.title}
      action={
        <GatedButton needs="open" look={problem === undefined ? 'main' : 'idle'} onClick={goOn}>
          {m.wallet_continue()}
        </GatedButton>
      }
    >
      <p className="text-muted">{texts.intro}</p>
      <PartAway part="chain" text={way === 'out' ? m.wallet_out_chain_away : m.wallet_in_chain_away} />
      <SegmentedControl
        label={m.wallet_asset()}
        options={chainAssets(config).assets.map((each) => ({ value: each.asset, label: each.asset }))}
        value={asset.asset}
        onChange={choose}
      />
      <AmountField
        label={m.wallet_amount()}
        value={amount}
        onChange={setAmount}
        asset={asset.asset}
        decimals={asset.decimals}
        balance={balance === undefined ? undefined : formatUnits(balance, asset.decimals)}
        awaitsBalance={signedIn && balance === undefined}
        spendable={
          balance === undefined ? undefined : mostToTransfer(minUnits(balance, today ?? balance), limits, kept)
        }
        balanceLabel={texts.balance}
        error={problemText(shown, { limits, today, asset }, texts)}
        hint={shown === undefined && problem === 'under_min' ? leastText(limits, asset) : hint}
      />
      {notes}
      {/* Above the terms, so that another way to pay is in sight on every phone. */}
      {children}
      <Section>
        <div className="mb-1.5 grid grid-cols-2 items-end gap-4 border-b border-line pb-3">
          {(['min', 'max'] as const).map((bound) => (
            <Stat
              key={bound}
              size="body"
              label={texts[bound]}
              value={<AmountText isPublic amount={limits[bound]} asset={asset.asset} decimals={asset.decimals} />}
            />
          ))}
        </div>
        <FactList facts={facts} />
      </Section>
    </Screen>
  )
}

/** The estimated network fee and its value, or that the wallet will show it, while the price of gas is not known. */
export function FeeText({ fee, native }: { fee: bigint | undefined; native: ConfiguredAsset | undefined }) {
  const { data: pairs = [] } = useCall('pairs', {})
  if (fee === undefined || !native) return <span className="text-muted">{m.wallet_fee_unknown()}</span>
  const amount = formatUnits(fee, native.decimals)
  const value = isAssetId(native.asset) ? valueUsdt([{ asset: native.asset, amount }], pairs) : undefined
  return (
    <span className="flex flex-col items-end">
      <AmountText isPublic amount={amount} asset={native.asset} />
      {value !== undefined && <span className="figures text-secondary text-muted">≈ {formatOwedUsdt(value)} USDT</span>}
    </span>
  )
}

/** While an amount is typed: too little may become enough, so it is no error yet. */
function leastText({ min }: Limits, { asset }: ConfiguredAsset): string {
  return m.ui_at_least({ min: `${formatAmount(min)} ${asset}` })
}

function problemText(
  problem: AmountProblem,
  { limits, today = 0n, asset }: { limits: Limits; today: bigint | undefined; asset: ConfiguredAsset },
  texts: TransferTexts,
): string | undefined {
  const amount = (text: string) => `${formatAmount(text)} ${asset.asset}`
  switch (problem) {
    case undefined:
      return undefined
    case 'missing':
      return m.wallet_enter_amount()
    case 'invalid':
      return m.wallet_invalid_input()
    case 'under_min':
      return texts.underMin(amount(limits.min))
    case 'over_max':
      return texts.overMax(amount(limits.max))
    case 'over_balance':
      return m.wallet_balance_not_enough()
    case 'over_today':
      return texts.overToday?.(amount(formatUnits(today, asset.decimals)))
  }
}
