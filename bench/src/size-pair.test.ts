import { expect, test } from 'vitest'
import { ratioOf } from './size-pair.ts'

const ROUNDS = [...Array(60).keys()]

test('the ratio ignores busy spells of the machine', () => {
  // Calm and busy spells, with a burst that hits only the large size at their border.
  const spell = (round: number) => (round < 29 ? 1 : 1.6)
  const small = ROUNDS.map((round) => 10 * spell(round) + (round === 30 || round === 31 ? -4 : 0))
  const large = ROUNDS.map((round) => 11 * spell(round))
  expect(ratioOf([small, large])).toBeCloseTo(1.1, 9)
})

test('the ratio ignores which size is measured first', () => {
  const small = ROUNDS.map((round) => (round % 2 === 0 ? 10 : 14))
  const large = ROUNDS.map((round) => (round % 2 === 0 ? 14 : 10))
  expect(ratioOf([small, large])).toBe(1)
})

test('the ratio sees a step that takes longer at the large size', () => {
  expect(ratioOf([ROUNDS.map(() => 10), ROUNDS.map(() => 14)])).toBe(1.4)
  expect(ratioOf([[10], [14]])).toBe(1.4)
})
