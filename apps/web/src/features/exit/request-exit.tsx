import { ConfirmSheet } from '@clearwell/ui/components/confirm-sheet.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import type { Config } from '../../api/config.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { Part } from '../../manifest/parts.ts'
import { ActNote } from './act-note.tsx'
import AdvanceSlot from './advance-slot.tsx'
import type { Exit } from './exit.queries.ts'
import { type ExitAct, useExitAct, useForgetMined } from './exit-act.ts'
import { ExitBefore } from './exit-before.tsx'
import { ExitIntro, ExitLimits } from './exit-intro.tsx'
import { ExitKitNote } from './exit-kit-note.tsx'
import { PaidBefore } from './paid-before.tsx'

const DAY_MS = 86_400_000
const ENDED: readonly ExitAct[] = ['cancel']

interface Props {
  readonly exit: Exit
  readonly config: Config
}

/** An account that is not leaving: what it would take, what comes first, and the request. */
export function RequestExit({ exit, config }: Props) {
  const [isAsking, setAsking] = useState(false)
  const act = useExitAct('request')
  useForgetMined(ENDED, exit.state)
  const request = () => {
    setAsking(false)
    void act.send((core) => core.vaultCalls.askForExit(config.vault, 'requestExit'))
  }
  return (
    <Screen
      title={m.exit_title()}
      action={
        // The page scrolls behind the text, so it has a ground.
        <div className="-mx-4 flex flex-col gap-3 bg-ground px-4 pt-2">
          {act.isBusy || <p className="text-secondary text-muted">{m.exit_confirm_locked()}</p>}
          <ActNote act={act} />
          <GatedButton needs="session" look="danger" busy={act.isBusy} onClick={() => setAsking(true)}>
            {act.state === 'no_response' ? m.payment_send_again() : m.exit_request()}
          </GatedButton>
        </div>
      }
    >
      <ExitIntro />
      <Content />
      <AdvanceSlot />
      <PaidBefore paid={exit.paid} config={config} />
      <ExitLimits />
      <ExitKitNote />
      {isAsking && <ConfirmRequest config={config} onConfirm={request} onClose={() => setAsking(false)} />}
    </Screen>
  )
}

/** The amounts that the account would take, and the steps that come first. */
export function Content() {
  const balances = useCall('balances', {})
  return (
    <>
      <Part of="takenWithExit" />
      <Loaded read={balances} sample={[]}>
        {(held) => <ExitBefore balances={held} />}
      </Loaded>
    </>
  )
}

function ConfirmRequest({
  config,
  onConfirm,
  onClose,
}: {
  config: Config
  onConfirm: () => void
  onClose: () => void
}) {
  const [nowMs] = useState(Date.now)
  const after = (days: number) => m.exit_about({ time: formatDateTime(new Date(nowMs + days * DAY_MS).toISOString()) })
  return (
    <ConfirmSheet
      title={m.exit_confirm_title()}
      text={m.exit_confirm_text()}
      facts={[
        { label: m.exit_confirm_call(), value: m.exit_confirm_call_value() },
        { label: m.payment_network(), value: config.chain.name },
        { label: m.exit_confirm_repay(), value: after(5) },
        { label: m.exit_confirm_base(), value: after(6) },
        { label: m.exit_confirm_ready(), value: after(7) },
      ]}
      warning={m.exit_confirm_locked()}
      confirmLabel={m.payment_open_wallet()}
      danger
      busy={false}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}
