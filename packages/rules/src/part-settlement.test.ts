import { expect, test } from 'vitest'
import { accrue, lend, newPool, pledge, receive, reprice, valueIn } from './loan-pool.ts'
import { type PartSettlement, settlePart } from './part-settlement.ts'
import { currentRate } from './pool-rate.ts'
import { PART_RULES, RESERVE_BPS, USDT_CURVE } from './testing/loan-world.ts'
import { E18 } from './testing/loans.ts'

const DAY = 86_400n

/** The example of docs/concepts/lending.md: 10,000 USDT pledged, 3,900 borrowed against 10 BNB at 600 USDT. */
function example() {
  const pledged = pledge(newPool(0n), 10_000n * E18, { reserveBps: RESERVE_BPS, knownLoss: 0n })
  if (typeof pledged === 'string') throw new Error(pledged)
  const { pool, debtShares } = lend(pledged.pool, 3_900n * E18)
  const opened = reprice(pool, USDT_CURVE)
  const now = accrue(opened, 20n * DAY)
  const inputs = (price: bigint, at: bigint) => ({
    debt: { principal: 3_900n * E18, debtShares },
    indexE27: accrue(opened, at).indexE27,
    collateral: 10n * E18,
    prices: { collateral: price * E18, borrowed: E18 },
    betterPrices: { collateral: price * E18, borrowed: E18 },
    part: 'most' as const,
    at,
    repaymentTime: 30n * DAY,
    rules: PART_RULES,
    insurance: 500n * E18,
  })
  return { opened, now, inputs }
}

/** Books a settlement at day 20. */
function book(pool: ReturnType<typeof example>['now'], done: PartSettlement) {
  const { principalEnded: principal, debtSharesEnded: debtShares, paid, paidByInsurance } = done
  return receive(pool, { principal, debtShares, paid: paid + paidByInsurance }, RESERVE_BPS)
}

test('half of the order of the documentation is cleared at 460', () => {
  const { opened, now, inputs } = example()
  expect(currentRate(opened.rate)).toBe(21_937_500_000_000_000n)
  expect(valueIn(now, RESERVE_BPS)).toBe(10_004_221_749_207_358_764_265n)
  const done = settlePart(inputs(460n, 20n * DAY))
  expect(done).toMatchObject({
    // Source: Python's decimal at 60 digits: 3,900 × e^(0.0219375 × 20 ÷ 365), rounded up.
    debt: 3_904_690_832_452_620_849_185n,
    interest: 4_690_832_452_620_849_185n,
    ltvE18: 848_845_833_141_874_098n,
    factorBps: 10_800n,
    paid: 1_952_345_416_226_310_424_592n,
    received: 4_583_767_498_966_120_127n,
    kept: 5_416_232_501_033_879_873n,
    shortfall: 0n,
    profit: 156_187_633_298_104_833_828n,
    after: { ltvE18: 783_612_809_254_257_268n, state: 'normal' },
  })
  expect(book(now, done).reserve).toBe(469_083_245_262_084_918n)
})

test('a crash of the order costs insurance first, then pledgers', () => {
  const { now, inputs } = example()
  const done = settlePart(inputs(300n, 20n * DAY))
  // By hand: 3,000 ÷ 1.02 = 2,941.176…
  expect(done).toMatchObject({
    paid: 2_941_176_470_588_235_294_118n,
    received: 10n * E18,
    shortfall: 963_514_361_864_385_555_067n,
    paidByInsurance: 500n * E18,
    lostByPledgers: 463_514_361_864_385_555_067n,
    after: { state: 'liquidated' },
  })
  const { pool, reserve } = book(now, done)
  expect({ value: valueIn(pool, RESERVE_BPS), reserve }).toEqual({ value: 9_541_176_470_588_235_294_118n, reserve: 0n })
})

test('a forgotten order is cleared whole for 5%', () => {
  expect(settlePart(example().inputs(600n, 30n * DAY))).toMatchObject({
    debt: 3_907_038_364_015_481_168_852n,
    isOverLimit: false,
    isOverdue: true,
    received: 6_837_317_137_027_092_045n,
    returned: 3_162_682_862_972_907_955n,
    after: { state: 'liquidated' },
  })
})
