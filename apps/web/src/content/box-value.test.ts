import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { expect, test } from 'vitest'
import { boxValue, type LiveBoxRules } from './box-value.ts'

const odds = DEFAULT_BOX_RULES.odds.map(({ factor, tickets }) => ({ factor, chance: String(tickets / 100) }))

test.each([
  ['the table of draws', 'table', '8.9%'],
  ['days without draws', 'flat', '0%'],
] as const)('the whitepaper states the gain of spreading fees for %s', (_which, rule, text) => {
  expect(boxValue('box_spread_gain', { rule, odds } as unknown as LiveBoxRules)).toBe(text)
})
