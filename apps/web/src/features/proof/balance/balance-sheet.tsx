import { Button } from '@clearwell/ui/components/button.tsx'
import { ProgressSteps } from '@clearwell/ui/components/progress-steps.tsx'
import { Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { useEffect } from 'react'
import { OperatorContact } from '../../../account/operator-contact.tsx'
import { m } from '../../../generated/messages.ts'
import { Points } from '../check-note.tsx'
import { BalanceOutcome } from './balance-outcome.tsx'
import { isEmpty } from './decide-outcome.ts'
import { failedCheckOf } from './kept-check.ts'
import { ProvenBalance } from './proven-balance.tsx'
import { type CheckState, checkBalance, stopCheck } from './run-check.ts'
import { saveFailure } from './save-failure.ts'
import { stepsOf } from './shown-steps.ts'
import { useBalanceCheck } from './use-balance-check.ts'

/**
 * Checks the account's balance in the browser, step by step, and says what the outcome proves.
 *
 * @param starts a check begins with the sheet; otherwise it shows the last one.
 */
export default function BalanceSheet({ starts = false, onClose }: { starts?: boolean; onClose: () => void }) {
  const { owner, state, kept, failure } = useBalanceCheck()
  useEffect(() => {
    if (starts && owner !== '') void checkBalance(owner)
    return stopCheck
  }, [starts, owner])
  const isHeld = state.status === 'done' && state.outcome.kind === 'holds'
  return (
    <Sheet title={m.proof_balance_title()} text={m.proof_balance_text()} onClose={onClose}>
      <BalanceOutcome state={state} failure={failure} kept={kept} />
      <Steps state={state} />
      {failure && <OperatorContact />}
      {isHeld && kept && <ProvenBalance kept={kept} />}
      <Meaning
        isOnChain={isHeld && state.steps.some(({ name, state: found }) => name === 'chain' && found === 'right')}
      />
      <SheetFoot>
        {failure && (
          <div className="flex gap-2">
            <Button icon="download" onClick={() => saveFailure(failure)} className="flex-1">
              {m.proof_balance_save()}
            </Button>
            <Button look="quiet" onClick={() => failedCheckOf(owner).set(undefined)}>
              {m.proof_balance_remove()}
            </Button>
          </div>
        )}
        <Button
          look="quiet"
          icon="refresh-cw"
          busy={state.status === 'running'}
          onClick={() => void checkBalance(owner)}
        >
          {m.proof_balance_again()}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

function Steps({ state }: { state: CheckState }) {
  if (state.status === 'idle') return null
  // A check without a response, or of an account that is in no header, has no steps to show.
  if (state.status === 'done' && (state.steps.length === 0 || isEmpty(state.outcome))) return null
  return <ProgressSteps label={m.proof_balance_steps()} steps={stepsOf(state)} />
}

function Meaning({ isOnChain }: { isOnChain: boolean }) {
  return (
    <>
      <Points
        title={m.proof_balance_proves()}
        icon="check"
        points={[
          m.proof_balance_proves_part(),
          m.proof_balance_proves_rows(),
          m.proof_balance_proves_same(),
          ...(isOnChain ? [m.proof_balance_proves_chain()] : []),
        ]}
      />
      <Points
        title={m.proof_balance_proves_not()}
        icon="x"
        points={[
          ...(isOnChain ? [] : [m.proof_balance_not_chain()]),
          m.proof_balance_not_others(),
          m.proof_balance_not_left_out(),
          m.proof_balance_not_positions(),
          m.proof_balance_not_vault(),
        ]}
      />
    </>
  )
}
