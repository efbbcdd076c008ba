import { parseUnits } from '@clearwell/money/decimal'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Link } from '@tanstack/react-router'
import { CONFIG } from '../../api/config.samples.ts'
import { type Config, useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { chainAssets } from '../../vault-payment/payment-assets.ts'
import type { ConfirmedTransfer } from './confirm-parts.tsx'
import { ConfirmTransferIn } from './confirm-transfer-in.tsx'
import { ConfirmTransferOut } from './confirm-transfer-out.tsx'
import { amountProblem, limitsIn, limitsOut } from './transfer-amount.ts'
import type { TransferDraft } from './transfer-draft.ts'
import { readDraft } from './transfer-draft.ts'

/** A transfer's second step: describes the signatures and transactions before the wallet opens. */
export default function ConfirmationScreen() {
  const draft = useReadSearch(readDraft)
  const config = useConfig()
  const transfer = config && confirmable(draft, config)
  const isOut = draft.way === 'out'
  if (transfer) return isOut ? <ConfirmTransferOut {...transfer} /> : <ConfirmTransferIn {...transfer} />
  if (!config)
    return (
      <PendingScreen>{isOut ? <ConfirmTransferOut {...SAMPLE} /> : <ConfirmTransferIn {...SAMPLE} />}</PendingScreen>
    )
  return (
    <Screen title={m.title_wallet_confirmation()}>
      <EmptyState
        icon={isOut ? 'arrow-up-from-line' : 'arrow-down-to-line'}
        title={m.wallet_confirm_nothing()}
        action={
          <Link to={isOut ? '/{-$locale}/wallet/sell' : '/{-$locale}/wallet/buy'} className={buttonClass()}>
            {isOut ? m.wallet_transfer_out() : m.wallet_transfer_in()}
          </Link>
        }
      />
    </Screen>
  )
}

/** 100 of the native coin: nothing of a token is read for it. */
const SAMPLE: ConfirmedTransfer = {
  config: CONFIG,
  asset: CONFIG.assets[0] as ConfirmedTransfer['asset'],
  amount: '100',
  units: 100n,
}

/** A draft may be confirmed where it names an asset of the chain and an amount within its limits. */
function confirmable(draft: TransferDraft, config: Config): ConfirmedTransfer | undefined {
  const asset = chainAssets(config).assets.find((each) => each.asset === draft.asset)
  if (!asset || draft.amount === undefined) return undefined
  const limits = draft.way === 'out' ? limitsOut(asset) : limitsIn(asset)
  if (amountProblem(draft.amount, limits, undefined)) return undefined
  return { config, asset, amount: draft.amount, units: parseUnits(draft.amount, asset.decimals) ?? 0n }
}
