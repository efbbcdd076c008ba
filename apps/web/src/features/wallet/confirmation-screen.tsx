import { parseUnits } from '@clearwell/money/decimal'
import { Link } from '@tanstack/react-router'
import { type Config, useConfig } from '../../api/config.ts'
import { buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Screen } from '../../components/screen.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { ConfirmIn } from './confirm-in.tsx'
import { ConfirmOut } from './confirm-out.tsx'
import { amountProblem, limitsIn, limitsOut } from './transfer-amount.ts'
import type { TransferDraft } from './transfer-draft.ts'
import { type ConfiguredAsset, chainAssets } from './wallet.queries.ts'

/** What is to be confirmed. */
export interface ConfirmedTransfer {
  readonly config: Config
  readonly asset: ConfiguredAsset
  readonly amount: string
  /** The amount in the asset's own base units. */
  readonly units: bigint
}

/** A transfer's second step: says in words what will be signed and sent, before the wallet opens. */
export function ConfirmationScreen({ draft }: { draft: TransferDraft }) {
  const config = useConfig()
  const transfer = config && confirmable(draft, config)
  const isOut = draft.way === 'out'
  if (transfer) return isOut ? <ConfirmOut {...transfer} /> : <ConfirmIn {...transfer} />
  return (
    <Screen title={m.title_wallet_confirmation()}>
      {config ? (
        <EmptyState
          icon={isOut ? 'arrow-up-from-line' : 'arrow-down-to-line'}
          title={m.wallet_confirm_nothing()}
          action={
            <Link to={isOut ? '/{-$locale}/wallet/sell' : '/{-$locale}/wallet/buy'} className={buttonClass()}>
              {isOut ? m.wallet_transfer_out() : m.wallet_transfer_in()}
            </Link>
          }
        />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-4">
          <Skeleton className="h-24" />
          <Skeleton className="h-60" />
        </div>
      )}
    </Screen>
  )
}

/** A draft may be confirmed where it names an asset of the chain and an amount within its limits. */
function confirmable(draft: TransferDraft, config: Config): ConfirmedTransfer | undefined {
  const asset = chainAssets(config).assets.find((each) => each.asset === draft.asset)
  if (!asset || draft.amount === undefined) return undefined
  const limits = draft.way === 'out' ? limitsOut(asset) : limitsIn(asset)
  if (amountProblem(draft.amount, limits, undefined)) return undefined
  return { config, asset, amount: draft.amount, units: parseUnits(draft.amount, asset.decimals) ?? 0n }
}
