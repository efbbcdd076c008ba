import { useStore } from '@clearwell/ui/browser/store.ts'
import { useAccountAddress } from '../../../account/use-account.ts'
import { type FailedCheck, failedCheckOf, type KeptCheck, keptCheckOf } from './kept-check.ts'
import { type CheckState, checkStore } from './run-check.ts'

const IDLE: CheckState = { status: 'idle' }

interface BalanceCheck {
  /** The signed-in address in lower case. */
  readonly owner: string
  readonly state: CheckState
  /** The last check that held. */
  readonly kept: KeptCheck | undefined
  /** One that did not, until its owner removes it. */
  readonly failure: FailedCheck | undefined
}

/** The check of the signed-in account. */
export function useBalanceCheck(): BalanceCheck {
  const owner = useAccountAddress()
  const state = useStore(checkStore)
  const isOwn = state.status !== 'idle' && state.owner === owner
  return {
    owner,
    state: isOwn ? state : IDLE,
    kept: useStore(keptCheckOf(owner)),
    failure: useStore(failedCheckOf(owner)),
  }
}
