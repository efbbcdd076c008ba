import { ConfirmSheet } from '@clearwell/ui/components/confirm-sheet.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { Part } from '../../manifest/parts.ts'
import { ActNote } from './act-note.tsx'
import type { Exit } from './exit.queries.ts'
import { type ExitAct, useExitAct, useForgetMined } from './exit-act.ts'
import { ExitLimits } from './exit-intro.tsx'
import { ExitKitNote } from './exit-kit-note.tsx'
import { ExitSteps, isAmountFixed, paidSince } from './exit-steps.tsx'
import { FinishExit } from './finish-exit.tsx'
import { FormerVault, formerVaultFacts, formerVaultOf } from './former-vault.tsx'
import { OwedAdvances } from './owed-advances.tsx'
import { PaidBefore } from './paid-before.tsx'

const ENDED: readonly ExitAct[] = ['request']

/** An account that leaves: its steps, its payments, and how to cancel. */
export function OpenExit({ exit, config, isStale }: { exit: Exit; config: Config; isStale: boolean }) {
  const { state, paid, requested_at: requestedAt, allowed } = exit
  const former = formerVaultOf(exit, config)
  const cancel = useExitAct('cancel')
  const [isAsking, setAsking] = useState(false)
  useForgetMined(ENDED, state)
  const send = () => {
    setAsking(false)
    void cancel.send((core) => core.vaultCalls.askForExit(former ?? config.vault, 'cancelExit'))
  }
  const own = paidSince(paid, requestedAt)
  return (
    <Screen
      title={m.exit_title()}
      aside={isStale && <span className="text-label text-warn">{m.ui_stale()}</span>}
      action={
        <div className="flex flex-col gap-3">
          <ActNote act={cancel} />
          {allowed.includes('cancel_exit') && (
            <GatedButton needs="session" look="quiet" busy={cancel.isBusy} onClick={() => setAsking(true)}>
              {own.length > 0 ? m.exit_reopen() : m.exit_cancel()}
            </GatedButton>
          )}
        </div>
      }
    >
      <p className="text-phrases">{HEADLINES[state]?.()}</p>
      <FormerVault vault={former} />
      {state === 'ready' && <FinishExit config={config} hasPaid={own.length > 0} />}
      <ExitSteps exit={exit}>
        {(state === 'requested' || state === 'open') && <Part of="takenWithExit" note={amountNote(exit)} />}
      </ExitSteps>
      <OwedAdvances owed={exit.owed} />
      <PaidBefore paid={own} config={config} />
      <ExitLimits />
      <ExitKitNote vault={former} />
      {isAsking && (
        <ConfirmSheet
          title={own.length > 0 ? m.exit_reopen_title() : m.exit_cancel_title()}
          text={own.length > 0 ? m.exit_reopen_text() : m.exit_cancel_text()}
          facts={[
            { label: m.exit_confirm_call(), value: m.exit_cancel_call() },
            ...formerVaultFacts(former),
            { label: m.payment_network(), value: config.chain.name },
          ]}
          warning={former && m.exit_former_cancel()}
          confirmLabel={m.payment_open_wallet()}
          busy={false}
          onConfirm={send}
          onClose={() => setAsking(false)}
        />
      )}
    </Screen>
  )
}

/** The exact amounts are known only when the vault pays. */
function amountNote(exit: Exit): string {
  const time = formatDateTime(exit.base_at ?? '')
  return isAmountFixed(exit) ? m.exit_amount_fixed({ time }) : m.exit_amount_open({ time })
}

const HEADLINES: Partial<Readonly<Record<Exit['state'], () => string>>> = {
  requested: m.exit_say_requested,
  open: m.exit_say_open,
  ready: m.exit_say_ready,
  cancelling: m.exit_say_cancelling,
}
