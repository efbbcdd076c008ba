import { beforeEach, expect, test } from 'vitest'
import { loans, pledgeChanges } from '../../domain/lending/lending.tables.ts'
import { type LendingLedger, units } from '../../testing/lending-ledger.ts'
import { newPledgedPool } from './testing/pledged-pool.ts'

let ledger: LendingLedger
beforeEach(() => {
  ledger = newPledgedPool()
  ledger.executed.length = 0
})

/** A user borrows, changes the collateral, repays in two parts, pledges, and withdraws in two parts. */
function useEachCommand(): string {
  const { order_id: id } = ledger.borrow('user', '8', '3000', { maxRateE18: units('0.5') })
  ledger.addCollateral('user', id, '1')
  ledger.removeCollateral('user', id, '0.5')
  ledger.repay('user', id, '100')
  ledger.repay('user', id, 'all')
  ledger.pledge('user', '10')
  ledger.withdraw('user', '4')
  ledger.withdraw('user', 'all')
  ledger.borrow('user', '1', '100')
  return id
}

// A key with another payload is refused. These must never change: the responses that are stored would no longer match.
test('the key of a command is bound to all that was asked', () => {
  const id = useEachCommand()
  const BNB = { orderId: id, asset: 'BNB' }
  expect(ledger.executed.map(({ command }) => [command.kind, command.owner, command.payload])).toEqual([
    ['open_loan', 'user', { collateral: ['BNB', '8'], borrow: ['USDT', '3000'], termDays: 30, maxRate: '0.5' }],
    ['add_collateral', 'user', { ...BNB, amount: '1' }],
    ['remove_collateral', 'user', { ...BNB, amount: '0.5' }],
    ['repay_loan', 'user', { orderId: id, amount: '100' }],
    ['repay_loan', 'user', { orderId: id, amount: 'all' }],
    ['pledge', 'user', { asset: 'USDT', amount: '10' }],
    ['unpledge', 'user', { asset: 'USDT', amount: '4' }],
    ['unpledge', 'user', { asset: 'USDT', amount: 'all' }],
    ['open_loan', 'user', { collateral: ['BNB', '1'], borrow: ['USDT', '100'], termDays: 30, maxRate: null }],
  ])
})

test('only what saves a loan works for a stopped or leaving account', () => {
  useEachCommand()
  const allowed = ledger.executed.filter(({ command: { worksStopped, worksLeaving } }) => worksStopped ?? worksLeaving)
  expect(
    allowed.map(({ command: { kind, worksStopped, worksLeaving } }) => [kind, worksStopped, worksLeaving]),
  ).toEqual([
    ['add_collateral', true, 'at_first'],
    ['repay_loan', true, 'at_first'],
    ['repay_loan', true, 'at_first'],
  ])
})

test('a change by the user leaves nothing to announce', () => {
  const { order_id: id } = ledger.borrow('user', '8', '3000')
  const isAnnounced = () => ledger.row(loans, id)?.is_announced
  expect(isAnnounced()).toBe(true)
  for (const change of [
    () => ledger.addCollateral('user', id, '1'),
    () => ledger.removeCollateral('user', id, '1'),
    () => ledger.repay('user', id, '100'),
  ]) {
    ledger.put(loans, { ...ledger.row(loans, id)!, is_announced: false })
    change()
    expect(isAnnounced()).toBe(true)
  }
})

test('a pledge and its withdrawal are on record with shares and value', () => {
  ledger.pledge('user', '10')
  ledger.withdraw('user', '4')
  const entries = ledger.executed.flatMap(({ plan }) => plan.entries ?? [])
  expect(entries.map(({ kind, reference }) => [kind, reference])).toEqual([
    ['pledge', 'USDT:user'],
    ['unpledge', 'USDT:user'],
  ])
  const changes = ledger.rows(pledgeChanges).filter(({ user_id: userId }) => userId === 'user')
  expect(changes).toEqual(
    ['10', '6'].map((left) => ({
      ...{ id: expect.stringMatching(/^pledge-/), user_id: 'user', asset: 'USDT', at: ledger.now },
      ...{ shares: expect.any(BigInt), value: units(left) },
    })),
  )
  expect((changes[0]!.shares * 6n) / 10n).toBe(changes[1]!.shares)
})
