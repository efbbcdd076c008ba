import { expect, test } from 'vitest'
import { deadlineAfter, deadlineMinutesOf, slippageBpsOf, slippageRisk } from './swap-settings.ts'

test.each([
  ['0.5', 50n],
  ['0.01', 1n],
  ['50', 5_000n],
  ['7.25', 725n],
  ['7.', 700n],
  ['0', undefined],
  ['50.01', undefined],
  ['0.001', undefined],
  ['', undefined],
  ['1e1', undefined],
])('a slippage of %s %% is %s basis points', (percent, bps) => {
  expect(slippageBpsOf(percent)).toBe(bps)
})

test('warns of too little and too much tolerance', () => {
  expect([9n, 10n, 500n, 501n].map(slippageRisk)).toEqual(['tight', undefined, undefined, 'loose'])
})

test.each([
  ['1', 1],
  ['1440', 1_440],
  ['0', undefined],
  ['1441', undefined],
  ['1.5', undefined],
])('a deadline of %s minutes is %s', (text, minutes) => {
  expect(deadlineMinutesOf(text)).toBe(minutes)
})

test("the deadline counts from the server's time", () => {
  expect(deadlineAfter('2030-01-01T00:00:10.000Z', 20)).toBe('2030-01-01T00:20:10.000Z')
})
