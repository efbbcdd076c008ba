import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_BOX_RULES } from './box-rules.ts'
import { gainOfSpreading, highestGainOfSpreading } from './box-spread.ts'

const { odds } = DEFAULT_BOX_RULES
const TIMES_ONE = [{ factor: 1, tickets: 100 }]

test.each([
  // By hand: 0.6 ÷ 2.7 + 0.25 × 2 ÷ 3.7 + 0.1 × 3 ÷ 4.7 + 0.04 × 5 ÷ 6.7 + 0.01 × 10 ÷ 11.7 = 0.459585, and 0.5 ÷ 0.459585.
  ['half of all fees', odds, 0.5, 0.087938],
  ['a hundredth of all fees', odds, 0.01, 0.005406],
  ['half, where every box draws the same', TIMES_ONE, 0.5, 0],
])('a person with %s gains by spreading', (_who, table, part, gain) => {
  expect(gainOfSpreading(table, part)).toBeCloseTo(gain, 5)
})

test.each([0, 1, -0.1, Number.NaN])('%s is no part of all fees', (part) => {
  expect(() => gainOfSpreading(odds, part)).toThrow(`${part} is no part of all fees`)
})

// docs/concepts/draw.md and decision 34 state both figures.
test('spreading gains 8.9% at most, with 44% of all fees', () => {
  const { gain, part } = highestGainOfSpreading(odds)
  expect({ gain: gain.toFixed(3), part: part.toFixed(2) }).toEqual({ gain: '0.089', part: '0.44' })
})

/** Every outcome of some draws, with its chance. */
function outcomesOf(boxes: number): { readonly sum: number; readonly chance: number }[] {
  if (boxes === 0) return [{ sum: 0, chance: 1 }]
  return outcomesOf(boxes - 1).flatMap(({ sum, chance }) =>
    odds.map(({ factor, tickets }) => ({ sum: sum + factor, chance: (chance * tickets) / 100 })),
  )
}

/** The exact mean share of a person whose fees are spread over some accounts, beside as many others. */
function meanShare(part: number, own: number, others: number): number {
  const rest = outcomesOf(others)
  return outcomesOf(own).reduce(
    (mean, mine) =>
      rest.reduce((sum, theirs) => {
        const power = (part * mine.sum) / own
        return sum + (mine.chance * theirs.chance * power) / (power + ((1 - part) * theirs.sum) / others)
      }, mean),
    0,
  )
}

/**
 * @attack A82 A person who pays half of all fees spreads them over many accounts, because many small draws even out.
 * @holds It gains at most 8.9% of the own rewards, however many accounts and others there are, and less than 0.6% with a hundredth of the fees.
 */
test('no number of accounts and others brings more than the bound', () => {
  const { gain } = highestGainOfSpreading(odds)
  const counts = fc.integer({ min: 1, max: 3 })
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), counts, counts, (part, own, others) => {
      const [alone, spread] = [meanShare(part, 1, others), meanShare(part, own, others)]
      expect(spread).toBeGreaterThanOrEqual(alone * (1 - 1e-9))
      expect(spread).toBeLessThanOrEqual(alone * (1 + gain))
    }),
  )
})
