import type { Database } from '@clearwell/ledger/database'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { createLendingParameters, type LendingConfig, type LendingParameters } from './lending-parameters.ts'
import { createPairPrices } from './pair-prices.ts'
import type { PledgeMoment } from './pledge-values.ts'

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

/** The same for a feature without its own parameters. */
export function pledgeMomentsOf(platform: {
  readonly config: { readonly stake: LendingConfig }
  readonly db: Database
  readonly clock: Clock
  readonly moneyPrices: MoneyPrices
}): () => Promise<PledgeMoment> {
  const { config, db, clock } = platform
  return createPledgeMoments({ ...platform, parameters: createLendingParameters({ db, clock, first: config.stake }) })
}
