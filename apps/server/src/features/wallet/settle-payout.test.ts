import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { unknownWithdrawals } from '../../platform/custody/unknown-payouts.ts'
import { INSURANCE, TREASURY, userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { unsentNotices } from '../../platform/notices/unsent-notices.ts'
import { performAction } from '../../testing/perform-action.ts'
import { settlePayouts } from './settle-payout.ts'

const ANN = `0x${'a'.repeat(40)}`
const OPERATOR = `0x${'0'.repeat(40)}`
const HASH = `0x${'7'.repeat(64)}`
const NOW = new Date('2026-11-24T00:00:00Z')

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(NOW)
})

/** Records a payout of 100 units that the ledger does not know. */
function payout(account: string, id = 'payout', units = 100n) {
  ledger.put(unknownWithdrawals, {
    ...{ id, reason: 'no order has its nonce', account, asset: 'USDT', units, nonce: 7n, tx_hash: HASH },
    ...{ block_number: 9n, seen_at: NOW, lost_signer: null, settled_at: null },
    ...{ paid_by_account: null, paid_by_insurance: null, paid_by_treasury: null },
  })
  return { id, account, asset: 'USDT' as const, isUser: account === ANN }
}

function give(account: string, units: bigint): void {
  ledger.add(account, 'USDT', units)
}

const settle = (...payouts: ReturnType<typeof payout>[]) =>
  performAction(ledger, settlePayouts, { operator: OPERATOR, payouts })

const balances = () => [userAccount(ANN, 'available'), INSURANCE, TREASURY].map((each) => ledger.balance(each, 'USDT'))

test.each([
  // Balances of the account, insurance and treasury, before and after a payout of 100, and who the text says has paid.
  ['the account alone', [150n, 20n, 20n], [50n, 20n, 20n], '0.0000000000000001 USDT from the account'],
  [
    'insurance after the account',
    [70n, 50n, 20n],
    [0n, 20n, 20n],
    '0.00000000000000007 USDT from the account, 0.00000000000000003 USDT from insurance',
  ],
  [
    'treasury last',
    [70n, 10n, 50n],
    [0n, 0n, 30n],
    '0.00000000000000007 USDT from the account, 0.00000000000000001 USDT from insurance, 0.00000000000000002 USDT from treasury',
  ],
  ['treasury to the last unit', [0n, 0n, 100n], [0n, 0n, 0n], '0.0000000000000001 USDT from treasury'],
] as const)('pays a payout by %s', (_who, [own, insurance, treasury], left, parts) => {
  give(userAccount(ANN, 'available'), own)
  give(INSURANCE, insurance)
  give(TREASURY, treasury)
  const total = ledger.balance(VAULT, 'USDT')
  expect(settle(payout(ANN))).toEqual({
    isDone: true,
    text: `The payout of 0.0000000000000001 USDT to ${ANN} in ${HASH} is booked: ${parts}.`,
  })
  expect(balances()).toEqual(left)
  expect(ledger.balance(VAULT, 'USDT')).toBe(total + 100n)
  expect(ledger.rows(unknownWithdrawals)[0]).toMatchObject({
    paid_by_account: own - left[0],
    paid_by_insurance: insurance - left[1],
    paid_by_treasury: treasury - left[2],
    settled_at: NOW,
  })
})

test('changes nothing while insurance and treasury cannot pay', () => {
  give(userAccount(ANN, 'available'), 60n)
  give(INSURANCE, 30n)
  give(TREASURY, 9n)
  const result = settle(payout(ANN))
  expect(result).toMatchObject({
    isDone: false,
    text: `0.000000000000000001 USDT for ${HASH} are missing in insurance and treasury.`,
  })
  expect(balances()).toEqual([60n, 30n, 9n])
})

test('settles a payout once', () => {
  give(userAccount(ANN, 'available'), 500n)
  const found = payout(ANN)
  expect(settle(found).isDone).toBe(true)
  expect(settle(found)).toMatchObject({ isDone: false, text: 'The payout payout is settled already, or unknown.' })
  expect(balances()).toEqual([400n, 0n, 0n])
})

test('books a payout to the operator of all that treasury has', () => {
  give(TREASURY, 100n)
  expect(settle(payout(OPERATOR)).isDone).toBe(true)
  expect(balances()).toEqual([0n, 0n, 0n])
  // The treasury's own part is not there a second time to cover what is missing.
  give(TREASURY, 99n)
  expect(settle(payout(OPERATOR, 'second'))).toMatchObject({
    isDone: false,
    text: expect.stringContaining('0.000000000000000001 USDT for'),
  })
  expect(balances()).toEqual([0n, 0n, 99n])
})

test('two payouts of an account share its balance', () => {
  give(userAccount(ANN, 'available'), 150n)
  give(INSURANCE, 50n)
  expect(settle(payout(ANN, 'first'), payout(ANN, 'second')).isDone).toBe(true)
  expect(balances()).toEqual([0n, 0n, 0n])
})

test('the treasury pays first for a payout to the operator', () => {
  give(userAccount(OPERATOR, 'available'), 100n)
  give(INSURANCE, 100n)
  give(TREASURY, 80n)
  expect(settle(payout(OPERATOR)).isDone).toBe(true)
  expect(balances()).toEqual([0n, 80n, 0n])
  expect(ledger.balance(userAccount(OPERATOR, 'available'), 'USDT')).toBe(100n)
})

test('notifies a user of both parts, and no stranger', () => {
  give(userAccount(ANN, 'available'), 70n)
  give(INSURANCE, 500n)
  settle(payout(ANN), payout(`0x${'b'.repeat(40)}`, 'stranger'))
  const drafts = ledger.rows(unsentNotices).flatMap((row) => JSON.parse(row.drafts))
  expect(drafts).toEqual([
    {
      userId: ANN,
      kind: 'payout_settled',
      key: 'payout',
      params: {
        asset: 'USDT',
        amount: '0.0000000000000001',
        taken: '0.00000000000000007',
        covered: '0.00000000000000003',
        tx_hash: HASH,
      },
      link: '/wallet/logs',
    },
  ])
})
