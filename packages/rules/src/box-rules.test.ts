import { expect, test } from 'vitest'
import { type BoxRules, boxRulesText, DEFAULT_BOX_RULES, faultOfBoxRules, parseBoxRules } from './box-rules.ts'

test('rules are read back from their text', () => {
  expect(parseBoxRules(boxRulesText(DEFAULT_BOX_RULES))).toEqual(DEFAULT_BOX_RULES)
})

test.each([
  '',
  'level 200',
  `${boxRulesText(DEFAULT_BOX_RULES)} `,
  boxRulesText(DEFAULT_BOX_RULES).replace('level 200', 'level 0200'),
])('no rules are read from "%s"', (text) => {
  expect(() => parseBoxRules(text)).toThrow(RangeError)
})

test('the defaults have no fault', () => {
  expect(faultOfBoxRules(DEFAULT_BOX_RULES)).toBeUndefined()
})

/**
 * @attack R09 With level and streak factors of 1.33 and more, an operator's wash trades came back with a gain.
 * @holds A server does not start with factors that together reach 1.2.
 */
test('factors that together reach 1.2 are a fault', () => {
  expect(faultOfBoxRules({ ...DEFAULT_BOX_RULES, streakMaxBps: 1_000 })).toContain('1.2')
  expect(faultOfBoxRules({ ...DEFAULT_BOX_RULES, levelStepBps: 220 })).toContain('1.2')
  // 1 × 1.2 and 1 × 1.1999.
  expect(faultOfBoxRules({ ...DEFAULT_BOX_RULES, levelStepBps: 0, streakMaxBps: 2_000 })).toContain('1.2')
  expect(faultOfBoxRules({ ...DEFAULT_BOX_RULES, levelStepBps: 0, streakMaxBps: 1_999 })).toBeUndefined()
})

test.each<[string, Partial<BoxRules>]>([
  ['odds of 99 tickets', { odds: [{ factor: 1, tickets: 99 }] }],
  [
    'factors that fall',
    {
      odds: [
        { factor: 2, tickets: 60 },
        { factor: 1, tickets: 40 },
      ],
    },
  ],
  [
    'two equal factors',
    {
      odds: [
        { factor: 1, tickets: 60 },
        { factor: 1, tickets: 40 },
      ],
    },
  ],
  ['a factor of zero', { odds: [{ factor: 0, tickets: 100 }] }],
  ['times that fall', { blockMinutes: [30, 20] }],
  ['two equal times', { blockMinutes: [30, 30] }],
  ['a block within the margin', { blockMinutes: [10] }],
  ['a step above the whole streak', { streakStepBps: 1_000 }],
])('%s are a fault', (_name, change) => {
  expect(faultOfBoxRules({ ...DEFAULT_BOX_RULES, ...change })).toBeDefined()
})

test('a day of a streak may add the whole streak', () => {
  expect(faultOfBoxRules({ ...DEFAULT_BOX_RULES, streakStepBps: 900 })).toBeUndefined()
})
