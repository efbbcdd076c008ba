import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { LOAN_STATUS, loans } from '../../domain/lending/lending.tables.ts'
import { dueAt, noteSilence, repaymentStops, writeHeaderTimes } from '../../platform/ledger/repayment-stop.ts'
import { type LendingLedger, START } from '../../testing/lending-ledger.ts'
import { newPledgedPool } from './testing/pledged-pool.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const STOPPED = { refusal: 'trading_suspended', data: { reason: 'no_header_day' } }

let ledger: LendingLedger
beforeEach(() => {
  ledger = newPledgedPool()
})

/** Moves the clock, and the prices with it. */
function pass(seconds: number): void {
  ledger.advance(seconds)
  ledger.setPrice('600')
}

/** A header is signed that was made so many seconds ago, or one reaches the vault. */
function sign(secondsAgo = 0, as: 'made_at' | 'root_made_at' = 'made_at'): void {
  const madeAt = new Date(ledger.now.getTime() - secondsAgo * 1_000)
  ledger.execute({
    ...{ kind: 'test_header', owner: 'proofs', payload: {}, preload: [] },
    decide: (state, { now }) => ({ rows: writeHeaderTimes(state, { [as]: madeAt }, now), response: null }),
  })
}

const note = (sinceStart = false) => ledger.execute(noteSilence({ sinceStart })).stopped
const dueOf = (id: string) => ledger.row(loans, id)?.repayment_time
const after = (seconds: number) => new Date(START.getTime() + seconds * 1_000)
const remindersOf = (id: string) =>
  ledger.notices().filter(({ kind, params }) => kind === 'loan_reminder' && params.order_id === id)

test('repaying stops after a day, and goes on with the next header', () => {
  const { order_id: id } = ledger.borrow('user', '2', '100')
  sign()
  pass(DAY)
  expect(note()).toBe(false)
  ledger.repay('user', id, '10')
  pass(1)
  expect([note(), note()]).toEqual([true, false])
  expect(refusalOf(() => ledger.repay('user', id, '10'))).toEqual(STOPPED)
  expect(refusalOf(() => ledger.addCollateral('user', id, '1'))).toEqual(STOPPED)
  // One that waited too long for its signature ends nothing.
  sign(DAY + 1)
  expect(refusalOf(() => ledger.repay('user', id, '10'))).toEqual(STOPPED)
  sign(DAY)
  ledger.repay('user', id, '10')
  ledger.addCollateral('user', id, '1')
  expect(ledger.row(repaymentStops, 'last')).toMatchObject({
    stopped_from: after(DAY + 1),
    stopped_until: after(DAY + 1),
  })
})

test('repaying stops, and goes on, by headers on the vault alone', () => {
  const { order_id: id } = ledger.borrow('user', '2', '100')
  sign(0, 'root_made_at')
  pass(DAY + 1)
  sign()
  expect(note()).toBe(true)
  sign()
  expect(refusalOf(() => ledger.repay('user', id, '10'))).toEqual(STOPPED)
  sign(600, 'root_made_at')
  ledger.repay('user', id, '10')
})

test('nothing stops where no header was ever made', () => {
  pass(9 * DAY)
  expect(note(true)).toBe(false)
})

/**
 * The operator makes no header for a day, so that a borrower cannot repay, and clears the loan as overdue with the bonus: the
 * repayment time moves to a day after repaying works again, and the borrower is reminded of it.
 */
test('a repayment time in a stop moves to a day after it', () => {
  const { order_id: id } = ledger.borrow('user', '2', '100', { termDays: 7 })
  ledger.borrow('user', '2', '100', { termDays: 30 })
  pass(6 * DAY - HOUR)
  sign()
  pass(DAY + 1)
  note()
  ledger.judge(id)
  expect(dueOf(id)).toEqual(after(7 * DAY))
  pass(2 * HOUR)
  ledger.judge(id)
  // It waits: the end of the stop is not known, and the leader looks again in ten minutes.
  expect(ledger.row(loans, id)).toMatchObject({
    status: LOAN_STATUS.normal,
    repayment_time: after(7 * DAY),
    watch_until: new Date(ledger.now.getTime() + 600_000),
  })
  const before = remindersOf(id).length

  sign()
  const ended = ledger.now.getTime()
  ledger.judge(id)
  const due = new Date(ended + DAY * 1_000)
  expect(ledger.row(loans, id)).toMatchObject({ status: LOAN_STATUS.normal, repayment_time: due })
  expect(remindersOf(id).slice(before)).toMatchObject([{ params: { hours: 24, due_at: due.toISOString() } }])

  pass(DAY - 1)
  ledger.judge(id)
  expect(ledger.row(loans, id)?.status).toBe(LOAN_STATUS.normal)
  pass(1)
  ledger.judge(id)
  expect(ledger.row(loans, id)?.status).toBe(LOAN_STATUS.toBeCleared)
})

test('a stop makes no order overdue that is over its limit', () => {
  const { order_id: id } = ledger.borrow('user', '1', '380', { termDays: 7 })
  pass(6 * DAY - HOUR)
  sign()
  ledger.setPrice('440')
  ledger.judge(id)
  expect(ledger.row(loans, id)?.status).toBe(LOAN_STATUS.toBeCleared)
  pass(DAY + 1)
  note()
  pass(2 * HOUR)
  sign()
  ledger.setPrice('600')
  expect(refusalOf(() => ledger.liquidate('other', id))).toMatchObject({
    refusal: 'conflict',
    data: { reason: 'not_to_be_cleared' },
  })
})

test('a due time moves from the beginning of a stop on', () => {
  const [from, until, now] = [after(0), after(DAY), after(3 * DAY)]
  const stop = { from, until }
  expect(dueAt(after(-1), stop, now)).toEqual(after(-1))
  expect(dueAt(after(0), stop, now)).toEqual(after(2 * DAY))
  expect(dueAt(after(2 * DAY - 1), stop, now)).toEqual(after(2 * DAY))
  expect(dueAt(after(2 * DAY + 1), stop, now)).toEqual(after(2 * DAY + 1))
  // Of a stop that lasts, the end may be now.
  expect(dueAt(after(DAY), { from, until: undefined }, now)).toEqual(after(4 * DAY))
  expect(dueAt(after(DAY), undefined, now)).toEqual(after(DAY))
})

test('after an absence, the stop counts from a day after the header', () => {
  sign()
  pass(3 * DAY)
  expect(note(true)).toBe(true)
  expect(ledger.row(repaymentStops, 'last')).toMatchObject({ stopped_from: after(DAY), stopped_until: null })
})
