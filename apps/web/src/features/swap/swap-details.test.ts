import { expect, test } from 'vitest'
import { isWorthAnnouncing } from './swap-details.tsx'

test('announces a figure again after a change of half a percent', () => {
  expect(isWorthAnnouncing(undefined, 1n)).toBe(true)
  expect([10_000n, 10_049n, 9_951n].map((now) => isWorthAnnouncing(10_000n, now))).toEqual([false, false, false])
  expect([10_050n, 9_950n].map((now) => isWorthAnnouncing(10_000n, now))).toEqual([true, true])
})
