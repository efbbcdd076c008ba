import type { TestServer } from '@clearwell/server/src/testing/server.ts'
import { parseEther } from 'viem'
import { expect } from 'vitest'

/**
 * Expects both pools with a spot price within 1.1 % of it, as the arbitrageur leaves them, and every pool open. The market
 * moves on by less than a tenth of a per cent while the test looks.
 */
export async function expectPoolsNearMarket(server: TestServer): Promise<void> {
  const pairs = await server.ok('pairs', {})
  /** How far the pools are from the market, in basis points. */
  const far: number[] = []
  for (const { price, spot_symbol: symbol } of pairs) {
    if (symbol === null) continue
    const spot = parseEther((await server.ok('spotTicker', { symbol })).price ?? '0')
    far.push(Math.abs(Number(((parseEther(price) - spot) * 10_000n) / spot)))
  }
  expect(far).toHaveLength(2)
  for (const each of far) expect(each).toBeLessThanOrEqual(110)
  expect(pairs.map((pair) => pair.suspended)).toEqual([false, false, false])
}
