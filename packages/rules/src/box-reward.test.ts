import type { AssetId } from '@clearwell/money/asset'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { powerOf } from './box-power.ts'
import { forfeitOf, poolOfDay, rewardOf } from './box-reward.ts'
import { DEFAULT_BOX_RULES as rules } from './box-rules.ts'
import { dayByDefinition } from './testing/box-day-by-definition.ts'

const usdt = (units: bigint) => [{ asset: 'USDT' as AssetId, units }]

const MORE = 10n ** 30n

// Source: worked out by hand.
test.each([
  [0n, MORE, 0n],
  [29n, MORE, 0n],
  [30n, MORE, 1n],
  [89n, MORE, 2n],
  [600_000_000_000_000_000_000n, MORE, 20_000_000_000_000_000_000n],
  [600_000_000_000_000_000_000n, 59n, 1n],
  [600_000_000_000_000_000_000n, 0n, 0n],
])('of rewards %s and fees %s a day shares %s', (rewards, contributed, pool) => {
  expect(poolOfDay([{ asset: 'USDT', rewards, contributed }], rules)).toEqual(usdt(pool))
})

test.each([
  [0n, 100n, 0n, 0n],
  [40n, 100n, 40n, 0n],
  [40n, 25n, 25n, 15n],
  [40n, 0n, 0n, 40n],
])('of forfeit %s treasury %s pays %s and owes %s', (pool, treasury, paid, owed) => {
  expect(forfeitOf(pool, treasury)).toEqual({ paid, owed })
})

test('a box without power receives nothing', () => {
  expect(rewardOf({ pool: usdt(100n), power: 0n, totalPower: 0n })).toEqual([])
})

// Source: worked out by hand. Powers 1.0, 1.05 and 4.0 of 6.05; a pool of 100 units.
test.each([
  [1_000n, 16n],
  [1_050n, 17n],
  [4_000n, 66n],
])('a power of %s of 6050 receives %s of 100 units', (power, units) => {
  expect(rewardOf({ pool: usdt(100n), power, totalPower: 6_050n })).toEqual(usdt(units))
})

test('the only box of a day receives the whole pool', () => {
  expect(rewardOf({ pool: usdt(100n), power: 7n, totalPower: 7n })).toEqual(usdt(100n))
})

test('a reward has only the assets of which it has a unit', () => {
  const pool = [...usdt(10n), { asset: 'BNB' as AssetId, units: 1n }, { asset: 'ETH' as AssetId, units: 0n }]
  expect(rewardOf({ pool, power: 1n, totalPower: 2n })).toEqual(usdt(5n))
  expect(rewardOf({ pool: usdt(1n), power: 1n, totalPower: 2n })).toEqual([])
})

test.each([
  [-1n, 10n],
  [1n, 0n],
  [11n, 10n],
])('rewardOf throws for a power of %s of %s', (power, totalPower) => {
  expect(() => rewardOf({ pool: usdt(1n), power, totalPower })).toThrow(`${power} is no part of ${totalPower}`)
})

const anyBox = fc.record({
  id: fc.stringMatching(/^[0-9a-f]{32}$/),
  level: fc.constantFrom(0, 1, 2, 3, 4, 5),
  streak: fc.integer({ min: 0, max: 40 }),
  fees: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 24n })),
})

test("a day's rewards follow the definition and never exceed the pool", () => {
  const day = fc.record({
    boxes: fc.array(anyBox, { minLength: 1, maxLength: 40 }),
    rewards: fc.bigInt({ min: 0n, max: 10n ** 26n }),
    contributed: fc.bigInt({ min: 0n, max: 10n ** 26n }),
    draw: fc.record({
      seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      blockHash: fc.stringMatching(/^0x[0-9a-f]{64}$/),
    }),
  })
  fc.assert(
    fc.property(day, (input) => {
      const defined = dayByDefinition(input)
      const powers = defined.map(({ level, streak, fees, factor }) =>
        powerOf({ fees, level: level as 0, streak, draw: factor }, rules),
      )
      const totalPower = powers.reduce((sum, power) => sum + power, 0n)
      const pool = poolOfDay([{ asset: 'USDT', ...input }], rules)
      const rewards = powers.map((power) => rewardOf({ pool, power, totalPower })[0]?.units ?? 0n)
      expect(rewards).toEqual(defined.map(({ reward }) => reward))
      const shared = rewards.reduce((sum, units) => sum + units, 0n)
      const [{ units = 0n } = {}] = pool
      expect(shared <= units).toBe(true)
      if (totalPower > 0n) expect(units - shared < BigInt(rewards.length)).toBe(true)
    }),
  )
})
