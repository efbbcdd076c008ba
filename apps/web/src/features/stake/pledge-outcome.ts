import type { ResponseOf } from '@clearwell/api/routes'
import type { AssetId } from '@clearwell/money/asset'
import { createStore, useStore } from '@clearwell/ui/browser/store.ts'

/** A pledge or withdrawal that the server has just confirmed. */
export interface PledgeOutcome {
  readonly way: 'in' | 'out'
  readonly asset: AssetId
  readonly amount: string
  readonly position: ResponseOf<'pledge'>['position']
}

/** As long as the page lasts. Not in the address: an address proves nothing. */
const outcomeStore = createStore<PledgeOutcome | undefined>(undefined)

export function keepPledgeOutcome(outcome: PledgeOutcome): void {
  outcomeStore.set(outcome)
}

export function usePledgeOutcome(): PledgeOutcome | undefined {
  return useStore(outcomeStore)
}
