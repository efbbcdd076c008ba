import { MemoryLedger, refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { refuseFrozen } from './frozen-accounts.ts'
import { admitProven, headerTimes, refuseUnproven } from './header-age.ts'
import { eachAdmission } from './leaving-accounts.ts'
import { forgetHeaderTimes } from './repayment-stop.ts'

const USER = `0x${'a'.repeat(40)}`
const MADE = new Date('2026-11-28T09:00:00Z')
const STOPPED = { refusal: 'trading_suspended', data: { reason: 'no_header' } }
const admission = eachAdmission(refuseFrozen, admitProven)

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(MADE)
  made(MADE)
})

/** @param root when the header on the vault was made; absent: without a vault with exits */
const made = (signed: Date, root: Date | null = null) =>
  ledger.put(headerTimes, { id: 'last', made_at: signed, root_made_at: root, root_id: null })

const admit = (command: { owner?: string; worksStopped?: true; worksUnproven?: true } = {}) =>
  admission.admit({ owner: USER, ...command }, ledger, { now: ledger.now, id: (label) => label })

test('commands stop two hours after the header, to the millisecond', () => {
  ledger.now = new Date(MADE.getTime() + 7_200_000)
  admit()
  refuseUnproven(ledger, ledger.now)
  ledger.now = new Date(MADE.getTime() + 7_200_001)
  expect(refusalOf(() => admit())).toEqual(STOPPED)
  expect(refusalOf(() => refuseUnproven(ledger, ledger.now))).toEqual(STOPPED)
  made(ledger.now)
  admit()
})

test('commands stop by the posted header while newer ones are signed', () => {
  ledger.now = new Date(MADE.getTime() + 7_200_001)
  made(ledger.now, MADE)
  expect(refusalOf(() => admit())).toEqual(STOPPED)
  made(ledger.now, ledger.now)
  admit()
})

test('commands that say so, and those of jobs, work without a header', () => {
  ledger.advance(10_000)
  admit({ worksStopped: true })
  admit({ worksUnproven: true })
  admit({ owner: 'blind-box' })
  expect(refusalOf(() => admit())).toEqual(STOPPED)
})

test('nothing stops where headers were never made, or were turned off', () => {
  ledger.advance(10_000)
  ledger.execute(forgetHeaderTimes())
  admit()
  ledger = new MemoryLedger(MADE)
  ledger.execute(forgetHeaderTimes())
  expect(ledger.row(headerTimes, 'last')).toBeUndefined()
  admit()
})
