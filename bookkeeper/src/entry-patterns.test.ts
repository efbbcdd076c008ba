import { ENTRY_KINDS } from '@clearwell/api/parts'
import { expect, test } from 'vitest'
import { faultOfPattern, PATTERNS } from './entry-patterns.ts'
import { entryOf } from './testing/entry.ts'

const OPERATOR = `0x${'0e'.repeat(20)}`
const fault = (kind: string, lines: readonly string[]) => faultOfPattern(entryOf(kind, lines), OPERATOR)

test.each([
  ['deposit', ['vault USDT -5', 'a:available USDT 5']],
  ['operator_deposit', ['vault BNB -5', 'treasury BNB 5']],
  ['deposit_reversal', ['a:available USDT -5', 'vault USDT 5']],
  ['withdrawal_lock', ['a:available USDT -5', 'a:locked USDT 5']],
  ['withdrawal_lock', ['treasury USDT -5', `user:${OPERATOR}:locked USDT 5`]],
  ['withdrawal', ['a:locked USDT -5', 'vault USDT 5']],
  ['exit', ['a:available USDT -5', 'vault USDT 5']],
  ['exit_reversal', ['vault USDT -5', 'a:available USDT 5']],
  [
    'swap',
    ['a:available USDT -10', 'pool:BNB-USDT USDT 9', 'rewards USDT 1', 'pool:BNB-USDT BNB -2', 'a:available BNB 2'],
  ],
  ['loan', ['a:available BNB -2', 'a:collateral BNB 2', 'lending:USDT:cash USDT -1', 'a:available USDT 1']],
  [
    'liquidation',
    [
      'b:available USDT -5',
      'lending:USDT:cash USDT 5',
      'a:collateral BNB -3',
      'b:available BNB 2',
      'a:available BNB 1',
    ],
  ],
])('accepts the pattern of %s', (kind, lines) => {
  expect(fault(kind, lines)).toBeUndefined()
})

test.each([
  ['gift', ['a:available USDT -5', 'b:available USDT 5'], 'has an unknown kind'],
  ['constructor', ['a:available USDT -5'], 'has an unknown kind'],
  ['referral_share', ['a:available USDT -5', 'b:available USDT 5'], 'moves money between users'],
  [
    'swap',
    ['a:available USDT -5', 'pool:BNB-USDT USDT 5', 'pool:BNB-USDT BNB -2', 'b:available BNB 2'],
    'moves money between users',
  ],
  ['withdrawal', ['a:available USDT -5', 'vault USDT 5'], 'has no posting -locked'],
  ['activation', ['a:available USDT -5', 'insurance USDT 4', 'treasury USDT 1'], 'has a posting +treasury'],
  ['deposit', ['vault USDT 5', 'a:available USDT -5'], 'has no posting -vault'],
  ['withdrawal_lock', ['treasury USDT -5', 'a:locked USDT 5'], 'is not between the treasury and the operator'],
  ['withdrawal_release', [`user:${OPERATOR}:locked USDT -5`, `user:${OPERATOR}:available USDT 5`], 'is not between'],
  ['pledge', ['a:available USDT -5', 'lending:BNB:cash USDT 5'], 'has an unknown account lending:BNB:cash'],
  ['box_reward', ['box_rewards USDT -5', 'a:wallet USDT 5'], 'has an unknown account'],
  ['deposit', ['vault USDT -5', 'a:available USDT 5', 'treasury USDT 0'], 'moves nothing on treasury'],
])('finds the fault of %s %j', (kind, lines, message) => {
  expect(fault(kind, lines)).toContain(message)
})

test('every kind that users see has a pattern', () => {
  expect(ENTRY_KINDS.filter((kind) => !Object.hasOwn(PATTERNS, kind))).toEqual([])
})
