import { beforeAll, expect, test } from 'vitest'
import { ENTRY_KINDS } from '../../generated/entry-kinds.ts'
import { ACTIVITY_PARTS } from '../../manifest/words.ts'
import { loadAllWords } from '../../testing/words.ts'
import { isActivityPart, kindsOf } from './activity-parts.ts'

beforeAll(loadAllWords)

test('each part has the kinds of its features', () => {
  expect(Object.fromEntries(ACTIVITY_PARTS.map((part) => [part, [...(kindsOf(part) ?? [])].toSorted()]))).toEqual({
    transfers: [
      'activation',
      'deposit',
      'deposit_reversal',
      'exit',
      'exit_advance',
      'exit_advance_return',
      'exit_reversal',
      'operator_deposit',
      'payout_settlement',
      'withdrawal',
      'withdrawal_release',
      'withdrawal_reversal',
    ],
    swaps: ['swap'],
    loans: ['collateral_added', 'collateral_returned', 'liquidation', 'loan', 'loan_repayment'],
    pledges: ['pledge', 'unpledge'],
    rewards: ['box_reward', 'referral_share', 'rt_collection'],
  })
})

test('no kind is in two parts, and the whole has all', () => {
  const kinds = ACTIVITY_PARTS.flatMap((part) => kindsOf(part) ?? [])
  expect(new Set(kinds).size).toBe(kinds.length)
  expect(kinds.every((kind) => ENTRY_KINDS.includes(kind))).toBe(true)
  expect(kindsOf(undefined)).toBeUndefined()
})

test.each(['all', 'operator', undefined, 'toString'])('%s is no part', (value) => {
  expect(isActivityPart(value)).toBe(false)
})
