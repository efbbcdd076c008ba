import { parseUnits } from '@clearwell/money/decimal'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { CONFIG } from '../../api/config.samples.ts'
import { type Config, useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { payWayText, usePayWay } from '../../vault-payment/pay-way.ts'
import { chainAssets, useChainBalance } from '../../vault-payment/payment-assets.ts'
import { Faucet } from './faucet-button.tsx'
import { limitsIn } from './transfer-amount.ts'
import type { TransferDraft } from './transfer-draft.ts'
import { readDraft } from './transfer-draft.ts'
import { FeeText, type TransferForm, TransferFormScreen, useTransferForm } from './transfer-form.tsx'
import { useNetworkFee } from './wallet.queries.ts'

const ReceiveSheet = lazySheet(() => import('./receive-sheet.tsx'))

/** Transfer in, first step: which asset and how much. */
export default function TransferInScreen() {
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
  const form = useTransferForm(config, 'in', draft)
  return form ? <TransferInForm form={form} /> : null
}

function TransferInForm({ form }: { form: TransferForm }) {
  const { config, asset } = form
  const { native } = chainAssets(config)
  const { balance, fee, gasShort, way } = useMeans(form)
  const isNative = asset.kind === 'native'
  return (
    <TransferFormScreen
      form={form}
      way="in"
      texts={{
        title: m.title_wallet_buy(),
        intro: m.wallet_buy_intro(),
        balance: m.wallet_in_wallet(),
        min: m.wallet_min_in(),
        max: m.wallet_max_in(),
        underMin: (min) => m.wallet_under_min({ min }),
        overMax: (max) => m.wallet_over_max({ max }),
      }}
      limits={limitsIn(asset)}
      balance={balance}
      kept={isNative ? (fee ?? 0n) : 0n}
      hint={isNative ? m.wallet_max_keeps_gas({ coin: asset.asset }) : undefined}
      facts={[
        { label: m.wallet_fee(), value: <FeeText fee={fee} native={native} /> },
        { label: m.payment_confirmations(), value: config.chain.confirmations },
        { label: m.wallet_will_ask(), value: payWayText(way) },
      ]}
      notes={gasShort && native && <p className="text-warn">{m.wallet_gas_short({ coin: native.asset })}</p>}
    >
      <Receive config={config} />
      {balance === 0n && <Faucet />}
    </TransferFormScreen>
  )
}

/** Opens the sheet with addresses, for payments that this wallet does not send from this device. */
function Receive({ config }: { config: Config }) {
  const { signedIn } = useAccount()
  const [isOpen, setOpen] = useState(false)
  if (!signedIn) return null
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex min-h-16 items-center gap-3 py-2 text-start"
      >
        <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-input text-muted light:bg-line">
          <Icon name="qr-code" />
        </span>
        <span className="flex min-w-0 flex-1 flex-col">
          <span>{m.wallet_receive()}</span>
          <span className="text-secondary text-muted">{m.wallet_receive_hint()}</span>
        </span>
        <Icon name="chevron-right" className="text-muted" />
      </button>
      {isOpen && <ReceiveSheet config={config} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The wallet's balance, the network fee, and whether the wallet can pay that fee. */
function useMeans({ config, asset, amount }: TransferForm) {
  const balance = useChainBalance(asset).data
  const coin = useChainBalance(chainAssets(config).native).data
  const units = parseUnits(amount, asset.decimals) ?? 0n
  const way = usePayWay(asset.kind === 'native' ? null : asset.address, units)
  const fee = useNetworkFee(way)
  return { balance, fee, way, gasShort: fee !== undefined && coin !== undefined && coin < fee }
}
