import { expect, test } from 'vitest'
import type { Failure, Paying } from '../../wallet/paying.ts'
import { type WithdrawFacts, type WithdrawNext, withdrawFailure, withdrawStages } from './withdraw-stages.ts'

const record = { orderId: 'out', transfer: { asset: 'USDT', amount: '100', out: true } }
const locked = { status: 'locked', confirmations: 0, required: 15 } as const
const signed = { ...locked, status: 'signed' } as const
const submitted = { status: 'submitted', confirmations: 3, required: 15 } as const
const at = (stage: Paying['stage']): Paying => ({ stage, isRunning: true })
const failed = (failure: Partial<Failure>, stage: Paying['stage'] = 'checking'): Paying => ({
  stage,
  isRunning: false,
  failure: { reason: 'reverted', detail: '', ...failure },
})

/** One letter per stage: lock, submit, block, confirm, complete; d = done, n = now, t = to do, f = failed. */
const table: [name: string, facts: Partial<WithdrawFacts>, stages: string, next: WithdrawNext][] = [
  ['locked, not signed yet', { order: locked }, 'ntttt', 'wait_signature'],
  ['locked, never signed in time', { order: locked, isOverdue: true }, 'ftttt', 'overdue'],
  ['signed, on whatever device', { order: signed }, 'dtttt', 'submit'],
  ['confirmed just now, not in the list yet', { record }, 'dtttt', 'wait'],
  ['the voucher is being checked', { order: signed, paying: at('checking') }, 'dnttt', 'wait'],
  [
    'the wallet asks',
    { order: signed, record: { ...record, asked: true }, paying: at('paying') },
    'dnttt',
    'answer_wallet',
  ],
  ['a reload while the wallet asked', { order: signed, record: { ...record, asked: true } }, 'dnttt', 'check_wallet'],
  [
    'refused in the wallet',
    { order: signed, record, paying: failed({ reason: 'refused' }, 'paying') },
    'dfttt',
    'retry',
  ],
  ['too little gas', { order: signed, record, paying: failed({ reason: 'gas' }) }, 'dfttt', 'retry'],
  [
    'the wallet went away while it was asked',
    { order: signed, record: { ...record, asked: true }, paying: failed({ reason: 'other' }, 'paying') },
    'dfttt',
    'check_wallet',
  ],
  [
    'a voucher that is not the one confirmed',
    { order: signed, record, paying: failed({ reason: 'call_differs', fault: 'amount' }) },
    'dfttt',
    'differs',
  ],
  ['sent, in no block yet', { order: signed, record: { ...record, asked: true, hash: '0xb' } }, 'ddntt', 'wait'],
  [
    'sent, in no block yet, the deadline over by now',
    { order: signed, record: { ...record, hash: '0xb' }, isOverdue: true },
    'ddntt',
    'wait',
  ],
  [
    'in a block, not seen by the server yet',
    { order: signed, record, paying: { stage: 'mined', isRunning: false } },
    'dddnt',
    'wait',
  ],
  [
    'its nonce is used: it was paid from elsewhere',
    { order: signed, record, paying: failed({ revert: 'NonceUsed' }) },
    'dddnt',
    'wait',
  ],
  ['submitted, with no record on this device', { order: submitted }, 'dddnt', 'wait'],
  ['confirmed, not completed yet', { order: { ...submitted, confirmations: 15 } }, 'ddddn', 'wait'],
  ['completed', { order: { ...submitted, status: 'completed', confirmations: 15 } }, 'ddddd', 'done'],
  [
    'completed, whatever this device believed',
    {
      order: { ...submitted, status: 'completed' },
      record: { ...record, failedHash: '0xb' },
      paying: failed({}),
      isOverdue: true,
    },
    'ddddd',
    'done',
  ],
  ['the deadline is over, nothing submitted', { order: signed, isOverdue: true }, 'dfttt', 'overdue'],
  [
    'the chain says that the deadline is over',
    { order: signed, record, paying: failed({ revert: 'VoucherExpired' }) },
    'dfttt',
    'overdue',
  ],
  [
    'thrown out in its block for its deadline, told of after a reload',
    { order: signed, record: { ...record, failedHash: '0xb', failedBy: 'reverted', failedRevert: 'VoucherExpired' } },
    'dfttt',
    'overdue',
  ],
  [
    'expired, the amount is back',
    { order: { ...locked, status: 'expired' }, record: { ...record, hash: '0xb' } },
    'dfttt',
    'expired',
  ],
  [
    'failed on the chain, told of after a reload',
    { order: signed, record: { ...record, failedHash: '0xb', failedBy: 'out_of_gas' } },
    'dfttt',
    'retry',
  ],
  [
    'cancelled in the wallet',
    {
      order: signed,
      record: { ...record, failedHash: '0xb', failedBy: 'cancelled' },
      paying: failed({ reason: 'payment_failed', lost: 'cancelled' }, 'sent'),
    },
    'dfttt',
    'retry',
  ],
  [
    'dropped by the network',
    { order: signed, record: { ...record, failedHash: '0xb', failedBy: 'dropped' } },
    'dfttt',
    'check_wallet',
  ],
]

test.each(table)('%s', (_name, facts, letters, next) => {
  const view = withdrawStages({ isOverdue: false, ...facts })
  expect(view.stages.map(({ state }) => state[0]).join('')).toBe(letters)
  expect(view.next).toBe(next)
})

test('at no time are two stages under way, and nothing is done behind what is not', () => {
  for (const [, facts] of table) {
    const states = withdrawStages({ isOverdue: false, ...facts }).stages.map(({ state }) => state)
    expect(states.filter((state) => state === 'now').length).toBeLessThanOrEqual(1)
    expect(states.lastIndexOf('done')).toBe(states.filter((state) => state === 'done').length - 1)
  }
})

test('past the deadline nothing is told that asks to try again before it', () => {
  const paused = { reason: 'reverted', detail: '', revert: 'EnforcedPause' } as const
  expect(withdrawFailure('retry', paused, record)).toBe(paused)
  expect(withdrawFailure('overdue', paused, record)).toBeUndefined()
  const ranOut = { ...record, failedHash: '0xb', failedBy: 'out_of_gas' } as const
  expect(withdrawFailure('overdue', undefined, ranOut)).toBeUndefined()
  const late = { reason: 'reverted', detail: '', revert: 'VoucherExpired' } as const
  expect(withdrawFailure('overdue', late, record)).toBe(late)
  const thrownOut = { ...record, failedHash: '0xb', failedBy: 'reverted', failedRevert: 'VoucherExpired' } as const
  expect(withdrawFailure('overdue', undefined, thrownOut)).toMatchObject({ lost: 'reverted', revert: 'VoucherExpired' })
})
