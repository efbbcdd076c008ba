import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { factName, factValue, headlineOf } from './step-texts.ts'

afterEach(() => showLocale('zh-HK'))

test('names each source of the pool in plain words', () => {
  const value = '600 + 0.25 [swap] + 0.25 [reserve_shared] − 0.25 [box_expiry] = 600.25 USDT'
  const fact = { name: 'asset_USDT', value, from: 'computed' } as const
  expect(factName(fact)).toBeUndefined()
  expect(factValue(fact)).toBe('600 + 0.25 (閃兌手續費) + 0.25 (借貸利息) − 0.25 (逾期未領獎勵) = 600.25 USDT')
})

test('shows a time to the minute and a hash unchanged', () => {
  showLocale('en')
  const at = { name: 'root_at', value: '2026-11-22T12:00:01.500Z', from: 'given' } as const
  expect(factName(at)).toBe('Root published')
  expect(factValue(at)).toMatch(/^2\d Nov 2026 \d\d:\d\d$/)
  const root = { name: 'computed_root', value: '764c7aaadf46', from: 'computed' } as const
  expect([factName(root), factValue(root)]).toEqual(['SHA-256 of the text', '764c7aaadf46'])
})

const RIGHT = { name: 'commitment', valid: true, facts: [] } as const
const UNSEEN = { name: 'root', valid: true, warning: 'unseen_root', facts: [] } as const
const UNCHECKED = { name: 'block', valid: undefined, facts: [] } as const
const WRONG = { name: 'draw', valid: false, facts: [] } as const

test.each([
  [[RIGHT, RIGHT], 'All steps verified in your browser.'],
  [
    [RIGHT, UNSEEN],
    'All steps verified in your browser. Which came first, the root or the block, couldn’t be confirmed.',
  ],
  [[RIGHT, UNCHECKED], '1 of 2 steps verified. The rest couldn’t be checked here.'],
  [
    [UNSEEN, UNCHECKED],
    '1 of 2 steps verified. The rest couldn’t be checked here. Which came first, the root or the block, couldn’t be confirmed.',
  ],
  [[WRONG, UNSEEN], 'A step doesn’t agree with the published figures. Copy the inputs and send them to the operator.'],
] as const)('sums up %# as %j', (steps, text) => {
  showLocale('en')
  expect(headlineOf(steps)).toBe(text)
})
