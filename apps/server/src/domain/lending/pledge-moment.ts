import { definePort } from '../../platform/port.ts'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { LendingParameters } from './lending-parameters.ts'
import { createPairPrices } from './pair-prices.ts'
import type { PledgeMoment } from './pledge-values.ts'

/** For features that value pledges. */
export const pledgeMoments = definePort<{ now(): Promise<PledgeMoment> }>('pledge moments')

/** Returns what pledges are valued by now: the rules in force, and the prices of all pairs. */

export function createPledgeMoments({
  parameters,
  moneyPrices,
  clock,
}: {
  readonly parameters: Pick<LendingParameters, 'rules'>
  readonly moneyPrices: MoneyPrices
  readonly clock: Clock
}): () => Promise<PledgeMoment> {
  return async () => {
    const rules = await parameters.rules()
    return { rules, pairs: await createPairPrices({ moneyPrices, rules }).all(), now: clock.now() }
  }
}
