import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import type { ReactNode } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { type ConfiguredAsset, chainAssets } from '../../vault-payment/payment-assets.ts'
import { FeeText } from './transfer-form.tsx'

/** A transfer to confirm. */
export interface ConfirmedTransfer {
  readonly config: Config
  readonly asset: ConfiguredAsset
  readonly amount: string
  /** The amount in the asset's own base units. */
  readonly units: bigint
}

/** The confirmation of a transfer, in or out: its terms, its one button, and why the last press failed. */
export function ConfirmFrame({
  label,
  confirm,
  busy,
  error,
  children,
}: {
  label: string
  confirm: () => void
  busy: boolean
  error: string | undefined
  children: ReactNode
}) {
  return (
    <Screen
      title={m.title_wallet_confirmation()}
      action={
        <div className="flex flex-col gap-3">
          {error && (
            <p role="alert" className="text-warn">
              {error}
            </p>
          )}
          <GatedButton needs="open" icon="wallet" busy={busy} onClick={confirm}>
            {label}
          </GatedButton>
        </div>
      }
    >
      {children}
    </Screen>
  )
}

/** The network, its fee, and the number of confirmations. */
export function NetworkFacts({ config, fee }: { config: Config; fee: bigint | undefined }) {
  return (
    <div className="-mb-2.5 border-t border-line">
      <FactList
        facts={[
          { label: m.payment_network(), value: config.chain.name },
          { label: m.wallet_fee(), value: <FeeText fee={fee} native={chainAssets(config).native} /> },
          { label: m.payment_confirmations(), value: config.chain.confirmations },
        ]}
      />
    </div>
  )
}

/** A whole address: a confirmation never shortens one. */
export function WholeAddress({ label, text, copyLabel }: { label: string; text: string; copyLabel: string }) {
  return (
    <div className="flex items-center gap-2">
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="text-label text-muted">{label}</span>
        <span className="font-mono text-label text-balance break-all">{text}</span>
      </div>
      <span className="-my-1 -me-2">
        <CopyButton text={text} label={copyLabel} />
      </span>
    </div>
  )
}
