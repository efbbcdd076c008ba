import { expect, test } from 'vitest'
import { checkCaps, checkRest, largestByCaps } from './loan-limits.ts'
import { sidesOf } from './price-sides.ts'

test('a repayment leaves nothing or the least loan', () => {
  expect(checkRest(100n, 100n, 10n)).toBeUndefined()
  expect(checkRest(100n, 90n, 10n)).toBeUndefined()
  expect(checkRest(100n, 91n, 10n)).toEqual({ reason: 'least_rest', max: 90n })
  expect(checkRest(9n, 1n, 10n)).toEqual({ reason: 'least_rest', max: 0n })
})

test('an order takes a fifth of a pool, an account two fifths', () => {
  const caps = { orderBps: 2_000n, accountBps: 4_000n }
  expect(checkCaps(200n, { pool: 1_000n, owed: 0n }, caps)).toBeUndefined()
  expect(checkCaps(201n, { pool: 1_000n, owed: 0n }, caps)).toEqual({ reason: 'order_cap', max: 200n })
  expect(checkCaps(150n, { pool: 1_000n, owed: 250n }, caps)).toBeUndefined()
  expect(checkCaps(151n, { pool: 1_000n, owed: 250n }, caps)).toEqual({ reason: 'account_cap', max: 150n })
  expect(checkCaps(1n, { pool: 1_000n, owed: 900n }, caps)).toEqual({ reason: 'account_cap', max: 0n })
  // Both caps are 200: the order's is named.
  expect(checkCaps(201n, { pool: 1_000n, owed: 200n }, caps)).toEqual({ reason: 'order_cap', max: 200n })
  expect(largestByCaps({ pool: 1_003n, owed: 0n }, caps)).toEqual({ ofOrder: 200n, ofAccount: 401n })
})

test('the better prices for a borrower are dear collateral and cheap debt', () => {
  const collateral = { lowE18: 590n, highE18: 610n, meanE18: 600n }
  const borrowed = { lowE18: 1n, highE18: 3n, meanE18: 2n }
  expect(sidesOf(collateral, borrowed)).toEqual({
    better: { collateral: 610n, borrowed: 1n },
    worse: { collateral: 590n, borrowed: 3n },
    mean: { collateral: 600n, borrowed: 2n },
  })
})
