import { definePort } from '../../platform/port.ts'

/** Planned swaps, for features that close an account. */
export interface PlannedSwaps {
  /** Ends all open plans of a user and notifies them. Returns how many there were. */
  readonly endAll: (userId: string, reason: 'freeze' | 'exit') => Promise<number>
}

export const plannedSwaps = definePort<PlannedSwaps>('planned swaps')
