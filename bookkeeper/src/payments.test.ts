import { expect, test } from 'vitest'
import { Payments, type VaultEvent } from './payments.ts'
import { entryOf } from './testing/entry.ts'

const OPERATOR = `0x${'0e'.repeat(20)}`
const A = `0x${'a1'.repeat(20)}`
const B = `0x${'b2'.repeat(20)}`
const event = (kind: VaultEvent['kind'], account: string, units: string, tx = '0x01'): VaultEvent => {
  return { kind, tx, account, asset: 'USDT', units }
}
const deposit = entryOf('deposit', ['vault USDT -5', 'a:available USDT 5'])
const withdrawal = entryOf('withdrawal', ['a:locked USDT -5', 'vault USDT 5'])
const exit = entryOf('exit', ['a:available USDT -5', 'vault USDT 5'])

function faultOf(events: readonly VaultEvent[], entries: readonly ReturnType<typeof entryOf>[]) {
  const payments = new Payments(OPERATOR)
  for (const each of events) payments.addEvent(each)
  for (const each of entries) payments.addEntry(each)
  return payments.findFault()
}

test.each<[string, readonly VaultEvent[], readonly ReturnType<typeof entryOf>[], RegExp | undefined]>([
  ['a deposit of the chain and the ledger', [event('deposited', A, '5')], [deposit], undefined],
  ['a plain transfer', [event('transfer', A, '5')], [deposit], undefined],
  ['a payment by the vault', [event('withdrawn', A, '5')], [withdrawal], undefined],
  ['an exit', [event('exited', A, '5')], [exit], undefined],
  ['a deposit that the ledger lacks', [event('deposited', A, '5')], [], /the ledger lacks 5/],
  ['a deposit that the chain lacks', [], [deposit], /the chain lacks 5/],
  ['a deposit of another amount', [event('deposited', A, '4')], [deposit], /the chain lacks 1/],
  ['a deposit of another account', [event('deposited', B, '5')], [deposit], /for another account/],
  ['a deposit of another transaction', [event('deposited', A, '5', '0x02')], [deposit], /lacks 5/],
  ['a payment without an entry', [event('withdrawn', A, '5')], [], /the ledger lacks 5/],
  ['an exit without an entry', [event('exited', A, '5')], [], /the ledger lacks 5/],
  ['an exit that the chain lacks', [], [exit], /the chain lacks 5/],
  ['an exit of another account', [event('exited', B, '5')], [exit], /for another account/],
  ['a payment that is booked as a deposit', [event('withdrawn', A, '5')], [deposit], /lacks 5/],
])('compares %s', (_what, events, entries, message) => {
  message ? expect(faultOf(events, entries)).toMatch(message) : expect(faultOf(events, entries)).toBeUndefined()
})

test('counts no payments of a vault that was left', () => {
  const payments = new Payments(OPERATOR)
  const late = (kind: VaultEvent['kind']) => ({ ...event(kind, A, '5'), replaced: `0x${'7a'.repeat(20)}` })
  payments.addEvent(late('deposited'))
  expect(payments.findFault()).toBeUndefined()
  expect(payments.countersOf(A, 'USDT')).toEqual({ deposited: 0n, paid: 0n, exited: 0n })
  // Its own payments are booked without delay.
  payments.addEvent(late('exited'))
  expect(payments.findFault()).toMatch(/the ledger lacks 5/)
  payments.addEntry(exit)
  expect(payments.findFault()).toBeUndefined()
})

test('a credit that was taken back needs no payment', () => {
  const back = entryOf('deposit_reversal', ['a:available USDT -3', 'vault USDT 3'])
  const rest = entryOf('reversal_shortfall', ['insurance USDT -2', 'vault USDT 2'])
  expect(faultOf([], [deposit, back, rest])).toBeUndefined()
  expect(faultOf([], [deposit, back])).toMatch(/the chain lacks 2/)
})

test('a payment without an order agrees once it is settled', () => {
  const payments = new Payments(OPERATOR)
  payments.addEvent(event('withdrawn', A, '5'))
  expect(payments.findFault()).toMatch(/the ledger lacks 5/)
  payments.addEntry(entryOf('payout_settlement', ['a:available USDT -1', 'vault USDT 1']))
  payments.addEntry(entryOf('payout_shortfall', ['treasury USDT -4', 'vault USDT 4']))
  expect(payments.findFault()).toBeUndefined()
})

test('sums events as the vault counts them', () => {
  const payments = new Payments(OPERATOR)
  payments.addEvent(event('deposited', A, '5'))
  payments.addEvent(event('deposited', B, '7'))
  payments.addEvent(event('transfer', A, '100'))
  payments.addEvent(event('withdrawn', A, '2'))
  payments.addEvent(event('exited', A, '1'))
  expect(payments.countersOf(A, 'USDT')).toEqual({ deposited: 5n, paid: 2n, exited: 1n })
  expect(payments.countersOf(undefined, 'USDT')).toEqual({ deposited: 12n, paid: 2n, exited: 1n })
  expect(payments.takeTouched()).toEqual([
    [A, 'USDT'],
    [B, 'USDT'],
  ])
  expect(payments.takeTouched()).toEqual([])
})
