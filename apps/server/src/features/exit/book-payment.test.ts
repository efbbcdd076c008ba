import { Draft } from '@clearwell/ledger/draft'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { exitPayments, takeBackExit } from '../../platform/custody/exit-payments.ts'
import { userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { bookPayment, type ExitPayment } from './book-payment.ts'

const USER = `0x${'a'.repeat(40)}`
const NOW = new Date('2026-11-28T09:00:00Z')
const PAYMENT: ExitPayment = {
  ...{ id: '56:0x1:3', account: USER, asset: 'BNB', units: 100n, receiver: `0x${'c'.repeat(40)}` },
  ...{ txHash: '0x1', blockNumber: 9n, base: 1 },
}

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(NOW)
})

function give(place: 'available' | 'locked', units: bigint): void {
  ledger.add(userAccount(USER, place), 'BNB', units)
}

const book = () =>
  ledger.execute({
    ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
    decide(state, context) {
      const draft = new Draft(state)
      bookPayment(draft, context, PAYMENT)
      return draft.plan(null)
    },
  })
const books = () => [
  ledger.balance(userAccount(USER, 'available'), 'BNB'),
  ledger.balance(VAULT, 'BNB'),
  ledger.row(exitPayments, PAYMENT.id)?.missing,
]

test('a payment is booked to the unit, once', () => {
  give('available', 130n)
  book()
  book()
  expect(books()).toEqual([30n, 100n, 0n])
  expect(ledger.total('BNB')).toBe(130n)
})

test('a payment that the chain has again is booked again', () => {
  give('available', 130n)
  book()
  ledger.execute({
    ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
    decide(state, context) {
      const draft = new Draft(state)
      takeBackExit(draft, context, PAYMENT.id)
      return draft.plan(null)
    },
  })
  expect(books()).toEqual([130n, 0n, 0n])
  book()
  expect(books()).toEqual([30n, 100n, 0n])
  expect(ledger.row(exitPayments, PAYMENT.id)).toEqual({
    ...{ id: PAYMENT.id, user_id: USER, asset: 'BNB', units: 100n, missing: 0n, receiver: PAYMENT.receiver },
    ...{ tx_hash: '0x1', block: 9n, booked_at: NOW, taken_back_at: null, base: 1n },
  })
})

test('an account that has too little leaves the rest missing', () => {
  give('available', 40n)
  give('locked', 60n)
  book()
  expect(books()).toEqual([0n, 40n, 60n])
})
