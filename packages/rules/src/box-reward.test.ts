import type { AssetId } from '@clearwell/money/asset'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { powerThousandths } from './box-power.ts'
import { poolOfDay, rewardOf } from './box-reward.ts'
import { dayByDefinition } from './testing/box-day-by-definition.ts'

const usdt = (units: bigint) => [{ asset: 'USDT' as AssetId, units }]

// Source: worked out by hand.
test.each([
  [0n, 0n],
  [29n, 0n],
  [30n, 1n],
  [89n, 2n],
  [600_000_000_000_000_000_000n, 20_000_000_000_000_000_000n],
])('of %s units of rewards a day shares %s', (rewards, pool) => {
  expect(poolOfDay(usdt(rewards))).toEqual(usdt(pool))
})

// Source: worked out by hand. Powers 1.0, 1.05 and 4.0 of 6.05; a pool of 100 units.
test.each([
  [1_000n, 16n],
  [1_050n, 17n],
  [4_000n, 66n],
])('a power of %s of 6050 receives %s of 100 units', (power, units) => {
  expect(rewardOf({ pool: usdt(100n), power, totalPower: 6_050n })).toEqual(usdt(units))
})

test('a reward has only the assets of which it has a unit', () => {
  const pool = [...usdt(10n), { asset: 'BNB' as AssetId, units: 1n }, { asset: 'ETH' as AssetId, units: 0n }]
  expect(rewardOf({ pool, power: 1n, totalPower: 2n })).toEqual(usdt(5n))
  expect(rewardOf({ pool: usdt(1n), power: 1n, totalPower: 2n })).toEqual([])
})

test.each([
  [0n, 10n],
  [-1n, 10n],
  [11n, 10n],
])('rewardOf throws for a power of %s of %s', (power, totalPower) => {
  expect(() => rewardOf({ pool: usdt(1n), power, totalPower })).toThrow(RangeError)
})

const anyBox = fc.record({
  id: fc.stringMatching(/^[0-9a-f]{32}$/),
  level: fc.constantFrom(0, 1, 2, 3, 4, 5),
  streak: fc.integer({ min: 0, max: 40 }),
})

test("a day's rewards follow the definition and never exceed the pool", () => {
  const day = fc.record({
    boxes: fc.array(anyBox, { minLength: 1, maxLength: 40 }),
    rewards: fc.bigInt({ min: 0n, max: 10n ** 26n }),
    draw: fc.record({
      seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      blockHash: fc.stringMatching(/^0x[0-9a-f]{64}$/),
    }),
  })
  fc.assert(
    fc.property(day, (input) => {
      const defined = dayByDefinition(input)
      const powers = defined.map(({ level, streak, factor }) =>
        powerThousandths({ level: level as 0, streak, draw: factor }),
      )
      const totalPower = powers.reduce((sum, power) => sum + power, 0n)
      const pool = poolOfDay(usdt(input.rewards))
      const rewards = powers.map((power) => rewardOf({ pool, power, totalPower })[0]?.units ?? 0n)
      expect(rewards).toEqual(defined.map(({ reward }) => reward))
      const shared = rewards.reduce((sum, units) => sum + units, 0n)
      const [{ units = 0n } = {}] = pool
      expect(shared <= units && units - shared < BigInt(rewards.length)).toBe(true)
    }),
  )
})
