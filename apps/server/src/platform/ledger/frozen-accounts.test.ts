import { MemoryLedger, refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { frozenAccounts, refuseFrozen } from './frozen-accounts.ts'

const USER = `0x${'a'.repeat(40)}`
const NOW = new Date('2026-11-28T09:00:00Z')
const LATER = new Date('2026-12-12T09:00:00Z')

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(NOW)
  ledger.put(frozenAccounts, { id: USER, frozen_at: NOW, ends_at: LATER, reason: 'a stolen phone' })
})

const admit = (command: { owner?: string; worksStopped?: true } = {}) =>
  refuseFrozen.admit({ owner: USER, ...command }, ledger, { now: ledger.now, id: (label) => label })

test('refuses a command of a frozen account', () => {
  expect(refusalOf(() => admit())).toEqual({ refusal: 'not_available', data: { reason: 'frozen' } })
  expect(refuseFrozen.keyOf({ owner: USER })).toBeDefined()
})

test('lets a command that works while stopped, other accounts and jobs pass', () => {
  admit({ worksStopped: true })
  admit({ owner: `0x${'b'.repeat(40)}` })
  admit({ owner: 'blind-box' })
  expect(refuseFrozen.keyOf({ owner: USER, worksStopped: true })).toBeUndefined()
  expect(refuseFrozen.keyOf({ owner: 'blind-box' })).toBeUndefined()
})

test('a freeze ends at its time, to the millisecond', () => {
  ledger.now = new Date(LATER.getTime() - 1)
  expect(refusalOf(() => admit()).refusal).toBe('not_available')
  ledger.now = LATER
  admit()
})
