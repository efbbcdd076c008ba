import { MemoryLedger, refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { userAccount } from './accounts.ts'
import { frozenAccounts, refuseFrozen } from './frozen-accounts.ts'
import { type ExitState, eachAdmission, exits, isLeaving, refuseLeaving } from './leaving-accounts.ts'

const USER = `0x${'a'.repeat(40)}`
const NOW = new Date('2026-11-28T09:00:00Z')
const LEAVING = { refusal: 'account_is_leaving', data: {} }
const admission = eachAdmission(refuseFrozen, refuseLeaving)

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(NOW)
  leave('open')
})

const leave = (state: ExitState) =>
  ledger.put(exits, { id: USER, state, exit_at: NOW, block: 7n, changed_at: NOW, owes: false, vault: null })
const admit = (command: { owner?: string; worksStopped?: true; worksLeaving?: 'always' | 'at_first' } = {}) =>
  admission.admit({ owner: USER, ...command }, ledger, { now: ledger.now, id: (label) => label })

test.each<[ExitState, boolean]>([
  ['requested', true],
  ['open', true],
  ['cancelling', true],
  ['closed', false],
])('an account whose exit is %s is stopped: %s', (state, stops) => {
  leave(state)
  expect(isLeaving(ledger, USER)).toBe(stops)
  if (stops) expect(refusalOf(() => admit({ worksStopped: true }))).toEqual(LEAVING)
  else admit()
})

test('repaying works in the first five days, to the millisecond', () => {
  ledger.now = new Date(NOW.getTime() + 5 * 86_400_000 - 1)
  admit({ worksLeaving: 'at_first' })
  ledger.now = new Date(NOW.getTime() + 5 * 86_400_000)
  expect(refusalOf(() => admit({ worksLeaving: 'at_first' }))).toEqual(LEAVING)
  admit({ worksLeaving: 'always' })
})

test('other accounts and jobs are not stopped', () => {
  admit({ owner: `0x${'b'.repeat(40)}` })
  admit({ owner: 'blind-box' })
})

test('a command loads the keys of every rule', () => {
  const ids = [admission.keyOf({ owner: USER })].flat().map((key) => key && 'table' in key && key.table.name)
  expect(ids).toEqual(['frozen_accounts', 'exits'])
  expect(admission.keyOf({ owner: 'blind-box' })).toEqual([])
  ledger.put(frozenAccounts, { id: USER, frozen_at: NOW, ends_at: new Date(NOW.getTime() + 1), reason: 'x' })
  leave('closed')
  expect(refusalOf(() => admit()).refusal).toBe('not_available')
})

test('an account that owes an advance uses nothing before', () => {
  ledger.put(exits, { id: USER, state: 'closed', exit_at: NOW, block: 7n, changed_at: NOW, owes: true, vault: null })
  admit()
  expect(isLeaving(ledger, USER)).toBe(true)
  ledger.add(userAccount(USER, 'available'), 'BNB', 1n)
  const owing = { refusal: 'account_is_leaving', data: { reason: 'advance_owed' } }
  expect(refusalOf(() => admit())).toEqual(owing)
  expect(refusalOf(() => admit({ worksLeaving: 'at_first' }))).toEqual(owing)
  admit({ worksLeaving: 'always' })
  admit({ owner: 'exits' })
})
