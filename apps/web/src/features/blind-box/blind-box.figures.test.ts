import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { expect, test } from 'vitest'
import figures from './blind-box.figures.ts'

const odds = DEFAULT_BOX_RULES.odds.map(({ factor, tickets }) => ({ factor, chance: String(tickets / 100) }))

test.each([
  ['the table of draws', 'table', '8.9%'],
  ['days without draws', 'flat', '0%'],
] as const)('the whitepaper states the gain of spreading fees for %s', (_which, rule, text) => {
  expect(figures.box_spread_gain?.format({ rule, odds } as never)).toBe(text)
})
