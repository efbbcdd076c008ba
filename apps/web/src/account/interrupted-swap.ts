import { type AssetId, isAssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { createStore, useStore } from '../browser/store.ts'
import { walletStore } from '../wallet/wallet-store.ts'

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

interface Stored {
  /** The address that typed it, in lower case. */
  readonly owner: string
  readonly swap: InterruptedSwap
}

const KEY = 'clearwell.swap.interrupted'

const interruptedStore = createStore<Stored | undefined>(load())

/** `true` from the press on the link back until the swap screen has opened the confirmation. */
let isResuming = false

/** Remembers a swap before its user leaves to transfer in. */
export function interruptSwap(owner: string, swap: InterruptedSwap): void {
  store({ owner: owner.toLowerCase(), swap })
}

/** The swap of this account that waits for a transfer in. */
export function useInterruptedSwap(owner: string): InterruptedSwap | undefined {
  const stored = useStore(interruptedStore)
  return owner !== '' && stored?.owner === owner.toLowerCase() ? stored.swap : undefined
}

/** The user goes back to the swap: it no longer waits, and its screen opens the confirmation. */
export function resumeSwap(): void {
  isResuming = true
  forgetInterruptedSwap()
}

function forgetInterruptedSwap(): void {
  store(undefined)
}

/** Returns once whether the user just went back to an interrupted swap. */
export function takeResumedSwap(): boolean {
  const taken = isResuming
  isResuming = false
  return taken
}

// Disconnecting the wallet clears this device.
let { status: statusBefore } = walletStore.get()
walletStore.subscribe(() => {
  const { status, isResuming: isReconnecting } = walletStore.get()
  if (statusBefore === 'connected' && status === 'disconnected' && !isReconnecting) forgetInterruptedSwap()
  statusBefore = status
})

function store(next: Stored | undefined): void {
  // Of the tab, not of the device: another tab has other plans. Without storage it lasts as long as the page.
  try {
    if (next === undefined) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {}
  interruptedStore.set(next)
}

function load(): Stored | undefined {
  try {
    const { owner, swap } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Stored>
    const isSwap =
      typeof swap?.pair === 'string' && isAssetId(swap.sell) && parseUnits(String(swap.amount), 18) !== undefined
    return isSwap && typeof owner === 'string' ? { owner, swap } : undefined
  } catch {
    return undefined
  }
}
