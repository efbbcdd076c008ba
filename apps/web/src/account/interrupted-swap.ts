import { type AssetId, isAssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { useStore } from '@clearwell/ui/browser/store.ts'
import { stored } from '@clearwell/ui/browser/stored.ts'

/**
 * A swap that waits for a transfer in, because the balance was too low. The end of the transfer leads back to it, also
 * after a reload. The swap screen confirms it like any other swap.
 */
export interface InterruptedSwap {
  /** The symbol of its pair. */
  readonly pair: string
  readonly sell: AssetId
  /** The amount to sell, as plain decimal text. */
  readonly amount: string
}

/** The swap of the account that typed it. Of the tab, not of the device: another tab has other plans. */
const interrupted = stored<InterruptedSwap>({
  key: 'clearwell.until-disconnect.interrupted-swap',
  scope: 'tab',
  owner: true,
  clearsOnDisconnect: true,
  schema: (value) => (isSwap(value) ? value : undefined),
})

/** `true` from the press on the link back until the swap screen has opened the confirmation. */
let isResuming = false

/** Remembers a swap before its user leaves to transfer in. */
export function interruptSwap(owner: string, swap: InterruptedSwap): void {
  interrupted.of(owner).set(swap)
}

/** The swap of this account that waits for a transfer in. */
export function useInterruptedSwap(owner: string): InterruptedSwap | undefined {
  return useStore(interrupted.of(owner))
}

/** The user goes back to the swap: it no longer waits, and its screen opens the confirmation. */
export function resumeSwap(owner: string): void {
  isResuming = true
  interrupted.of(owner).set(undefined)
}

/** Returns once whether the user just went back to an interrupted swap. */
export function takeResumedSwap(): boolean {
  const taken = isResuming
  isResuming = false
  return taken
}

function isSwap(value: unknown): value is InterruptedSwap {
  const { pair, sell, amount } = (value ?? {}) as Partial<InterruptedSwap>
  return typeof pair === 'string' && isAssetId(sell) && parseUnits(String(amount), 18) !== undefined
}
