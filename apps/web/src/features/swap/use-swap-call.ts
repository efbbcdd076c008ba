import { useIsMutating, useMutation } from '@tanstack/react-query'
import { commandMutation, setCommandKey } from '../../api/use-command.ts'
import { keepPendingSwap, type PendingSwap } from './pending-swap.ts'
import { refreshMarket } from './swap.queries.ts'
import { isDefinite } from './swap-refusal.ts'

/**
 * Sends a confirmed swap. It is kept on this device before it is sent, and until its outcome was shown: whatever gets lost
 * in between, its key is not.
 */
export function useSwapCall() {
  const swap = useMutation(commandMutation('doSwap', { silent: true }))

  /** @param onOutcome called once the outcome is certain, if the screen that asked is still there to show it. */
  function send(pending: PendingSwap, onOutcome = () => {}): void {
    beginSwap(pending)
    swap.mutate(pending.payload, {
      onSuccess: onOutcome,
      onError: (error) => {
        if (isDefinite(error)) onOutcome()
      },
      onSettled: refreshMarket,
    })
  }

  return { ...swap, send }
}

/** Keeps a swap before it is sent: the key that is kept is the key that is sent, also the second time. */
export function beginSwap(pending: PendingSwap): void {
  keepPendingSwap(pending)
  setCommandKey('doSwap', pending.payload, pending.key)
}

/** Whether this page is waiting for the answer of a swap. */
export function useIsSwapping(): boolean {
  return useIsMutating({ mutationKey: ['doSwap'] }) > 0
}
