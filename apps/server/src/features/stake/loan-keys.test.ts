import { expect, test } from 'vitest'
import { LendingLedger, units } from '../../testing/lending-ledger.ts'
import { addCollateral, removeCollateral } from './change-collateral.ts'
import { pledgeToPool, withdrawFromPool } from './change-pledge.ts'
import { openLoan } from './open-loan.ts'
import { repayLoan } from './repay-loan.ts'

const { rules, prices } = new LendingLedger()
const usdt = { asset: 'USDT', units: units('5') } as const
const bnb = { asset: 'BNB', units: units('2') } as const
const by = { userId: 'user', key: 'key', prices, pairs: [], orderId: 'order' }
const pledge = { ...by, asset: 'USDT' } as const
const loan = { ...by, collateral: bnb, borrow: usdt, termDays: 30 }
const repayment = { ...by, assets: { collateral: 'BNB', borrowed: 'USDT' } } as const
const collateral = { ...by, amount: bnb, borrowAsset: 'USDT' } as const
const loanPayload = { collateral: ['BNB', '2'], borrow: ['USDT', '5'], termDays: 30 }

// Stored responses are found by these forms, so they never change.
test.each([
  ['pledge', pledgeToPool(rules, { ...by, amount: usdt }), { asset: 'USDT', amount: '5' }],
  ['unpledge', withdrawFromPool(rules, { ...pledge, amount: units('5') }), { asset: 'USDT', amount: '5' }],
  ['unpledge', withdrawFromPool(rules, { ...pledge, amount: 'all' }), { asset: 'USDT', amount: 'all' }],
  ['open_loan', openLoan(rules, { ...loan, maxRateE18: undefined }), { ...loanPayload, maxRate: null }],
  ['open_loan', openLoan(rules, { ...loan, maxRateE18: units('0.05') }), { ...loanPayload, maxRate: '0.05' }],
  ['repay_loan', repayLoan(rules, { ...repayment, amount: units('5') }), { orderId: 'order', amount: '5' }],
  ['repay_loan', repayLoan(rules, { ...repayment, amount: 'all' }), { orderId: 'order', amount: 'all' }],
  ['add_collateral', addCollateral(collateral), { orderId: 'order', asset: 'BNB', amount: '2' }],
  ['remove_collateral', removeCollateral(collateral), { orderId: 'order', asset: 'BNB', amount: '2' }],
])('%s binds its key to the amounts in a lasting form', (kind, command, payload) => {
  expect(command).toMatchObject({ kind, owner: 'user', key: 'key' })
  expect(command.payload).toEqual(payload)
})

test('only repaying and adding collateral work while stopped, or leaving', () => {
  const commands = [
    ...[pledgeToPool(rules, { ...by, amount: usdt }), withdrawFromPool(rules, { ...pledge, amount: 'all' })],
    ...[openLoan(rules, { ...loan, maxRateE18: undefined }), removeCollateral(collateral)],
    ...[repayLoan(rules, { ...repayment, amount: 'all' }), addCollateral(collateral)],
  ]
  expect(
    commands.map(({ kind, worksStopped, worksLeaving, worksUnproven }) => [
      ...[kind, worksStopped, worksLeaving, worksUnproven],
    ]),
  ).toEqual([
    ...['pledge', 'unpledge', 'open_loan', 'remove_collateral'].map((kind) => [kind, undefined, undefined, undefined]),
    ...['repay_loan', 'add_collateral'].map((kind) => [kind, true, 'at_first', undefined]),
  ])
})
