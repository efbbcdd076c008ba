import { expect, test } from 'vitest'
import { runStrategy } from './economy.ts'
import { STRATEGIES } from './strategies.ts'

/** A mean needs some runs; a bound that holds in every run needs one. */
const runsOf = (holds: 'always' | 'mean') => (holds === 'mean' ? 4 : 1)

test.each(STRATEGIES.map((strategy) => [strategy.name, strategy] as const))(
  '%s gains no more than its bound',
  (_name, strategy) => {
    const result = runStrategy(strategy, { runs: runsOf(strategy.holds), seed: 7 })
    expect(result, `mean ${result.mean}, worst ${result.worst}, bound ${result.bound}`).toMatchObject({ holds: true })
  },
)
