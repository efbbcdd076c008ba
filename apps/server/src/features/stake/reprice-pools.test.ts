import { expect, test } from 'vitest'
import { lendingPools } from '../../domain/lending/lending.tables.ts'
import { LendingLedger } from '../../testing/lending-ledger.ts'
import { createPoolPricing } from './reprice-pools.ts'

/** A pool of 30,000 USDT of which 3,000 are lent, and the pricing on its ledger. */
function lentPool() {
  const ledger = new LendingLedger()
  ledger.join('pledger', 'user')
  ledger.give('pledger', 'USDT', '30000')
  ledger.give('user', 'BNB', '10')
  ledger.pledge('pledger', '30000')
  ledger.borrow('user', '10', '3000')
  const done: unknown[] = []
  const pricing = createPoolPricing({
    writer: { execute: async (command) => done.push(ledger.execute(command)) as never },
  })
  return { ledger, pricing, done }
}

const withBase = ({ rules }: LendingLedger, baseE18: bigint, version: number) => ({
  ...rules,
  version,
  pools: rules.pools.map((pool) => ({ ...pool, curve: { ...pool.curve, baseE18 } })),
})

test('a new curve prices each pool without a command', async () => {
  const { ledger, pricing, done } = lentPool()
  const rate = () => ledger.row(lendingPools, 'USDT')?.rate_below_e18
  const before = rate()!
  ledger.advance(60)
  await pricing.check(withBase(ledger, 10n ** 16n, 2))
  // BNB has no pledge.
  expect(done).toEqual([{ repriced: 1 }])
  expect(rate()).toBeGreaterThan(before)
  expect(ledger.row(lendingPools, 'USDT')?.accrued_at).toEqual(ledger.now)
})

test('pools are priced once for each set of parameters', async () => {
  const { ledger, pricing, done } = lentPool()
  for (const version of [1, 1, 2, 2]) await pricing.check({ ...ledger.rules, version })
  expect(done).toHaveLength(2)
})
