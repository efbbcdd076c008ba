import fc from 'fast-check'
import { expect, test } from 'vitest'
import { YEAR_SECONDS } from './interest.ts'
import { settle } from './settlement.ts'
import { Fraction } from './testing/fraction.ts'
import { anyAmount, anyDebt, anyPrices, anySeconds, E18 } from './testing/loans.ts'

const RULES = { liquidationBps: 8_300n, bonusBps: 10_800n, overdueBonusBps: 10_500n }
const DAY = 86_400n

/** The example of docs/concepts/lending.md. */
const EXAMPLE = {
  debt: { principal: 3_900n * E18, rateE18: 21_937_500_000_000_000n, accrued: 0n, accruedAt: 0n },
  collateral: 10n * E18,
  prices: { collateral: 460n * E18, borrowed: E18 },
  at: 20n * DAY,
  repaymentTime: 30n * DAY,
  rules: RULES,
  insurance: 0n,
}

test('the example of the documentation is true', () => {
  expect(settle(EXAMPLE)).toEqual({
    interest: 4_688_013_698_630_136_987n,
    debt: 3_904_688_013_698_630_136_987n,
    ltvE18: 848_845_220_369_267_422n,
    isOverLimit: true,
    isOverdue: false,
    factorBps: 10_800n,
    owedCollateral: 9_167_528_379_988_088_147n,
    paid: 3_904_688_013_698_630_136_987n,
    received: 9_167_528_379_988_088_147n,
    returned: 832_471_620_011_911_853n,
    shortfall: 0n,
    paidByInsurance: 0n,
    lostByPledgers: 0n,
    profit: 312_375_041_095_890_410_633n,
  })
})

test('a crash of the example costs insurance first, then pledgers', () => {
  const crash = { ...EXAMPLE, prices: { collateral: 300n * E18, borrowed: E18 }, insurance: 1_000n * E18 }
  expect(settle(crash)).toMatchObject({
    paid: 2_777_777_777_777_777_777_778n,
    received: 10n * E18,
    returned: 0n,
    shortfall: 1_126_910_235_920_852_359_209n,
    paidByInsurance: 1_000n * E18,
    lostByPledgers: 126_910_235_920_852_359_209n,
  })
})

const anyInputs = fc.record({
  debt: anyDebt,
  collateral: anyAmount,
  prices: anyPrices,
  at: anySeconds,
  repaymentTime: anySeconds,
  rules: fc.constant(RULES),
  insurance: fc.oneof(fc.constant(0n), anyAmount),
})

/** A second implementation: exact fractions of USDT value, and each party's account, without a formula of the product. */
function settleByValue({ debt, collateral, prices, at, rules, insurance }: typeof EXAMPLE) {
  const one = (units: bigint) => new Fraction(units)
  const interest = one(debt.principal * debt.rateE18 * at + debt.accrued)
    .over(one(E18 * YEAR_SECONDS))
    .ceil()
  const owed = debt.principal + interest
  const debtValue = one(owed * prices.borrowed)
  const collateralValue = one(collateral * prices.collateral)
  const ratio = debtValue.over(collateralValue)
  const isOver = ratio.minus(new Fraction(rules.liquidationBps, 10_000n)).top >= 0n
  const factor = new Fraction(isOver ? rules.bonusBps : rules.overdueBonusBps, 10_000n)
  const isEnough = collateralValue.minus(debtValue.times(factor)).top >= 0n
  const received = isEnough ? debtValue.times(factor).over(one(prices.collateral)).floor() : collateral
  const paid = isEnough ? owed : collateralValue.over(factor).over(one(prices.borrowed)).ceil()
  const missing = owed - paid
  const paidByInsurance = missing < insurance ? missing : insurance
  return { interest, debt: owed, isOverLimit: isOver, paid, received, paidByInsurance }
}

test('agrees with a computation by value, and loses no unit', () => {
  fc.assert(
    fc.property(anyInputs, (inputs) => {
      const done = settle(inputs)
      expect(done).toMatchObject(settleByValue(inputs))
      expect(done.paid + done.paidByInsurance + done.lostByPledgers).toBe(done.debt)
      expect(done.received + done.returned).toBe(inputs.collateral)
      for (const each of [done.paid, done.received, done.returned, done.paidByInsurance, done.lostByPledgers])
        expect(each).toBeGreaterThanOrEqual(0n)
    }),
    { numRuns: 1_000 },
  )
})
