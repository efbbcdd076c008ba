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

const admit = (kind: string, owner = USER) =>
  refuseFrozen.admit({ kind, owner }, ledger, { now: ledger.now, id: (label) => label })

test.each(['swap', 'order_withdrawal', 'open_loan', 'liquidate', 'click_box', 'a_kind_of_tomorrow'])(
  'refuses %s of a frozen account',
  (kind) => {
    expect(refusalOf(() => admit(kind))).toEqual({ refusal: 'not_available', data: { reason: 'frozen' } })
  },
)

test.each(['repay_loan', 'add_collateral', 'order_deposit', 'cancel_plan', 'nothing'])(
  'lets %s of a frozen account pass',
  (kind) => {
    admit(kind)
    expect(refuseFrozen.keyOf({ kind, owner: USER })).toBeUndefined()
  },
)

test('lets other accounts and jobs pass', () => {
  admit('swap', `0x${'b'.repeat(40)}`)
  admit('expire_boxes', 'blind-box')
  expect(refuseFrozen.keyOf({ kind: 'expire_boxes', owner: 'blind-box' })).toBeUndefined()
})

test('a freeze ends at its time, to the millisecond', () => {
  ledger.now = new Date(LATER.getTime() - 1)
  expect(refusalOf(() => admit('swap')).refusal).toBe('not_available')
  ledger.now = LATER
  admit('swap')
})
