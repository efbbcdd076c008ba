import type { ReactNode } from 'react'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/paraglide/messages.js'
import { sentences } from '../../i18n/sentences.ts'
import { Icon } from '../../icons/icon.tsx'
import { lostApprovalText, lostText } from '../../wallet/lost-text.ts'
import type { Failure } from '../../wallet/paying.ts'
import type { VaultRevert } from '../../wallet/vault-revert.ts'
import { chainAssets } from './wallet.queries.ts'

/** Something that went wrong, said at once to a screen reader too. */
export function Alert({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div role="alert" className="flex gap-3 rounded-card border border-warn/50 p-4">
      <Icon name="triangle-alert" className="text-warn" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="text-warn">{text}</p>
        {children}
      </div>
    </div>
  )
}

/** What the wallet itself said, where our words say less. */
export function WalletSaid({ failure: { reason, detail, revert } }: { failure: Failure }) {
  if ((reason !== 'reverted' && reason !== 'other') || revert !== undefined) return null
  return <p className="text-label text-muted [overflow-wrap:anywhere]">{m.wallet_fail_detail({ detail })}</p>
}

/**
 * Why a transfer stopped.
 *
 * @param wasAsked whether the wallet may have sent it: then it has to be looked for there.
 */
export function failureText(
  { reason, detail, lost, revert }: Failure,
  { way, wasAsked, config }: { way: 'in' | 'out'; wasAsked: boolean; config: Config },
): string {
  switch (reason) {
    case 'refused':
      return m.wallet_fail_refused()
    case 'gas':
      return m.wallet_fail_gas({ coin: chainAssets(config).native?.asset ?? config.chain.native.symbol })
    case 'network':
      return m.wallet_fail_network({ name: config.chain.name })
    case 'token_not_enough':
      return m.payment_not_enough()
    case 'reverted':
      if (way === 'out') return revertOutText(revert) ?? m.wallet_out_fail_reverted()
      return revert === 'EnforcedPause' ? m.wallet_fail_paused() : m.wallet_fail_reverted()
    case 'approval_failed':
      return lostApprovalText(lost)
    case 'payment_failed': {
      const why = way === 'out' ? revertOutText(revert) : undefined
      return sentences(lostText(lost ?? 'reverted'), ...(why === undefined ? [] : [why]))
    }
    case 'call_differs':
      return way === 'out' ? m.wallet_out_differs() : m.wallet_call_differs()
    case 'other':
      return wasAsked ? m.wallet_fail_other() : m.wallet_fail_detail({ detail })
  }
}

/** What the vault has against a voucher, and what can be done about it. */
function revertOutText(revert: VaultRevert | undefined): string | undefined {
  switch (revert) {
    case undefined:
      return undefined
    case 'EnforcedPause':
      return m.wallet_out_fail_paused()
    case 'VoucherExpired':
      return m.wallet_out_fail_expired()
    case 'NonceUsed':
      return m.wallet_out_fail_used()
    case 'WithdrawalExceedsLimit':
      return m.wallet_out_fail_limit()
    case 'WithdrawalExceedsCap':
      return m.wallet_out_fail_cap()
    case 'NotSignedBySigner':
      return m.wallet_out_fail_signer()
    case 'NativeTransferFailed':
      return m.wallet_out_fail_receiver()
  }
}
