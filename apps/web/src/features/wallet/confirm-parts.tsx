import type { ReactNode } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import type { Config } from '../../api/config.ts'
import { cx } from '../../browser/cx.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Screen } from '../../components/screen.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { FeeText } from './fee-text.tsx'
import { chainAssets } from './wallet.queries.ts'

/** The confirmation of a transfer, in or out: what it says, and the one button that goes on, with why it did not. */
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
            <p role="alert" className="text-down">
              {error}
            </p>
          )}
          <GatedButton needs="session" icon="wallet" busy={busy} onClick={confirm}>
            {label}
          </GatedButton>
        </div>
      }
    >
      {children}
    </Screen>
  )
}

/** Where it happens, what the network takes for it, and how long it waits for confirmations. */
export function NetworkFacts({ config, fee }: { config: Config; fee: bigint | undefined }) {
  return (
    <div className="-mb-2.5 border-t border-line">
      <FactList
        facts={[
          { label: m.wallet_network(), value: config.chain.name },
          { label: m.wallet_fee(), value: <FeeText fee={fee} native={chainAssets(config).native} /> },
          { label: m.wallet_confirmations(), value: config.chain.confirmations },
        ]}
      />
    </div>
  )
}

/** One of the things that happen, in order and in words. */
export function Ask({
  number,
  title,
  quiet = false,
  children,
}: {
  number: number
  title: string
  quiet?: boolean
  children: ReactNode
}) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className={cx(
          'figures flex size-6 shrink-0 items-center justify-center rounded-full border text-label',
          quiet ? 'border-line text-muted' : 'border-accent text-accent',
        )}
      >
        {number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h3 className={cx('font-semibold', quiet && 'text-muted')}>{title}</h3>
        <div className="text-muted">{children}</div>
      </div>
    </li>
  )
}

/** A whole address: what is signed is never shortened. */
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
