import type { Fault, Step, StepName } from '@clearwell/verify/verify-balance'
import { expect, test } from 'vitest'
import { type AccountFacts, decideOutcome, type Failure } from './decide-outcome.ts'

const NAMES: readonly StepName[] = ['leaves', 'path', 'header', 'signature', 'rows', 'chain']
const HELD: AccountFacts = { leaves: 4, rows: 3, hasMoney: true }

/** All steps right, except those that are named. */
function stepsWith(others: Partial<Record<StepName, Fault | 'unchecked'>> = {}): Step[] {
  return NAMES.map((name) => {
    const other = others[name]
    if (other === undefined) return { name, state: 'right' }
    return other === 'unchecked' ? { name, state: other } : { name, state: 'wrong', fault: other, detail: '' }
  })
}

const judge = (steps: readonly Step[], account: Partial<AccountFacts> = {}) =>
  decideOutcome({ kind: 'verified', steps, account: { ...HELD, ...account } })

test.each<[Partial<Record<StepName, Fault | 'unchecked'>>, Fault]>([
  [{ leaves: 'leaves' }, 'leaves'],
  [{ leaves: 'leaf_gone' }, 'leaf_gone'],
  [{ path: 'path' }, 'path'],
  [{ header: 'header' }, 'header'],
  [{ header: 'header_older' }, 'header_older'],
  [{ header: 'header_changed' }, 'header_changed'],
  [{ signature: 'signature' }, 'signature'],
  [{ signature: 'bookkeeper' }, 'bookkeeper'],
  [{ rows: 'rows' }, 'rows'],
  [{ chain: 'chain' }, 'chain'],
  [{ rows: 'rows', chain: 'unchecked' }, 'rows'],
  [{ path: 'path', signature: 'signature' }, 'path'],
  [{ signature: 'signature', rows: 'unchecked' }, 'signature'],
])('a wrong step breaks the check: %o', (steps, fault) => {
  expect(judge(stepsWith(steps))).toEqual({ kind: 'broken', fault })
})

test('a wrong step counts for an account without leaves too', () => {
  const empty = { leaves: 0, rows: 0, hasMoney: false }
  expect(judge(stepsWith({ header: 'header_changed' }), empty)).toMatchObject({ kind: 'broken' })
})

test.each<[Partial<AccountFacts>, ReturnType<typeof decideOutcome>]>([
  [{}, { kind: 'holds' }],
  [{ hasMoney: false }, { kind: 'holds' }],
  [
    { leaves: 0, rows: 0, hasMoney: false },
    { kind: 'unknown', reason: 'nothing' },
  ],
  [
    { leaves: 0, rows: 0, hasMoney: true },
    { kind: 'unknown', reason: 'not_yet' },
  ],
  [
    { leaves: 0, rows: 2, hasMoney: false },
    { kind: 'unknown', reason: 'not_yet' },
  ],
])('right steps hold only for an account in the header: %o', (account, outcome) => {
  expect(judge(stepsWith(), account)).toEqual(outcome)
})

test('rows that broke off are not called wrong', () => {
  expect(judge(stepsWith({ rows: 'unchecked' }))).toEqual({ kind: 'unknown', reason: 'incomplete' })
})

test.each<[Failure, boolean, string]>([
  ['no_response', true, 'no_response'],
  ['no_response', false, 'offline'],
  ['off', true, 'off'],
  ['off', false, 'off'],
  ['no_key', true, 'no_key'],
  ['no_proof', true, 'no_proof'],
  ['not_posted', true, 'not_posted'],
  ['busy', true, 'busy'],
  ['rejected', true, 'rejected'],
  ['browser', true, 'browser'],
  ['moved', true, 'moved'],
  ['long', true, 'long'],
])('a check that failed by %s, online %s, is never called broken', (why, isOnline, reason) => {
  expect(decideOutcome({ kind: 'failed', why, isOnline })).toEqual({ kind: 'unknown', reason })
})
