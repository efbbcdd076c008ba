import { Draft } from '@clearwell/ledger/draft'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { exitPayments } from '../../platform/custody/exit-payments.ts'
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
