import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LENDING_PROPERTIES } from './testing/lending-properties.ts'

/** With the ten properties about 10,000 sequences. `npm run sim -- lending` tries a million. */
const runs = { numRuns: 1_100 }

/** Runs a property and returns how many sequences it counted. */
function hold(name: keyof typeof LENDING_PROPERTIES): number {
  let sequences = 0
  fc.assert(
    LENDING_PROPERTIES[name].of(() => sequences++),
    runs,
  )
  return sequences
}

test('any commands leave books that add up and an exact known loss', () => {
  expect(hold('books')).toBe(runs.numRuns)
})

/**
 * @attack A20 Pledging, leaving, borrowing, repaying and accruing in one moment, to collect what rounding leaves.
 * @holds No sequence of own commands in one moment gains anything, with any losses of the pool.
 */
test('own commands in one moment gain nothing', () => {
  expect(hold('oneMoment')).toBe(runs.numRuns)
})

/**
 * @attack S10 A loan in 15 orders paid 1.01% on average, and 1.54% in one.
 * @holds One index prices all debts of a pool, so many orders or payments never owe less than one.
 */
test('splitting an order or a payment saves nothing', () => {
  expect(hold('splitting')).toBe(runs.numRuns)
})

/**
 * @attack A21 Accruing a pool each second, so that rounding or compounding changes what others owe.
 * @holds The index grows by an exponential, so accruals in between change it by 10^-27 each at most.
 */
test('accruals in between change no debt', () => {
  expect(hold('poking')).toBe(runs.numRuns)
})

/**
 * @attack S10 9,800 USDT pledged for a day halved the rate of a loan for its whole term.
 * @holds A short pledge saves at most the interest of the time it lasts and of ten hours of ramp.
 */
test('a short pledge makes no loan cheap', () => {
  expect(hold('shortPledge')).toBeGreaterThan(runs.numRuns / 3)
})

/**
 * @attack R15 The owner of nearly all pledges borrowed the rest of the pool, and was paid the interest from above the kink by others.
 * @holds Borrowing from the own pool beyond the kink never gains over borrowing up to it.
 */
test('borrowing beyond the kink from the own pool gains nothing', () => {
  expect(hold('squeeze')).toBe(runs.numRuns)
})

/**
 * @attack R04 A pledge around a known loss bought shares below their value, and left after insurance had paid.
 * @holds Shares are bought without the known loss and paid back with it, so a flash pledge gains 0.
 */
test('a pledge around a known loss gains nothing', () => {
  expect(hold('flashPledge')).toBe(runs.numRuns)
})

/**
 * @attack S07 Pledgers who left before a loss was booked were paid in full by those who stayed.
 * @holds Leaving before a known loss is booked pays no more than leaving after it.
 */
test('leaving before a loss is booked gains nothing', () => {
  expect(hold('leaving')).toBe(runs.numRuns)
})

/**
 * @attack S07 Leaving in an outage, when no price shows the loss.
 * @holds While a price is unknown, orders count at 80% of the last: leaving gains nothing over waiting.
 */
test('leaving while the price is unknown gains nothing', () => {
  expect(hold('priceUnknown')).toBe(runs.numRuns)
})

/**
 * @attack S06 A borrower cleared his own order from LTV 92.6% on, and insurance and pledgers paid a part of his debt.
 * @holds While the collateral is worth the debt × 1.02 it costs the whole debt, and below that saves at most 2% of the collateral.
 */
test('clearing the own order gains nothing while it is covered', () => {
  expect(hold('selfLiquidation')).toBe(runs.numRuns)
})
