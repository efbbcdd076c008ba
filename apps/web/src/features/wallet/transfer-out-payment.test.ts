import { expect, test } from 'vitest'
import type { PaymentRecord } from '../../vault-payment/payment-record.ts'
import type { Failure, PaymentRun } from '../../vault-payment/payment-run.ts'
import { type PaymentState, paymentSteps } from '../../vault-payment/payment-state.ts'
import { viewPayment } from '../../vault-payment/use-payment.ts'
import { transferOutEvent } from './transfer-out-payment.tsx'

interface Facts {
  readonly order?: Parameters<typeof transferOutEvent>[0]['order']
  readonly record?: PaymentRecord
  readonly run?: PaymentRun
  readonly isOverdue?: boolean
}

const record = { orderId: 'out', transfer: { asset: 'USDT', amount: '100', out: true } }
const locked = { status: 'locked', confirmations: 0, required: 15 } as const
const signed = { ...locked, status: 'signed' } as const
const submitted = { status: 'submitted', confirmations: 3, required: 15 } as const
const running = (state: PaymentState): PaymentRun => ({ state, isRunning: true, isPrepared: false })
const ended = (failure: Partial<Failure>, state: PaymentState = 'stopped'): PaymentRun => ({
  state,
  isRunning: false,
  isPrepared: true,
  failure: { reason: 'reverted', detail: '', ...failure },
})

function viewOf({ order, isOverdue = false, ...facts }: Facts) {
  const orderEvent = (failure: Failure | undefined) => transferOutEvent({ order, failure, isOverdue })
  return viewPayment({ orderEvent, isPrepared: order !== undefined && order.status !== 'locked' }, facts)
}

/** One letter per step: lock, submit, block, confirm, complete; d = done, n = now, t = to do, f = failed. */
const table: [name: string, facts: Facts, steps: string, state: PaymentState][] = [
  ['that is locked and not signed yet', { order: locked }, 'ntttt', 'preparing'],
  ['that was never signed in time', { order: locked, isOverdue: true }, 'ftttt', 'overdue'],
  ['that is signed', { order: signed }, 'dtttt', 'ready'],
  ['that is not in the list yet', { record }, 'ntttt', 'preparing'],
  ['while the voucher is checked', { order: signed, run: running('checking') }, 'dnttt', 'checking'],
  [
    'while the wallet asks',
    { order: signed, record: { ...record, asked: true }, run: running('paying') },
    'dnttt',
    'paying',
  ],
  [
    'after a reload while the wallet asked',
    { order: signed, record: { ...record, asked: true } },
    'dnttt',
    'no_response',
  ],
  [
    'that was rejected in the wallet',
    { order: signed, record, run: ended({ reason: 'rejected' }) },
    'dfttt',
    'stopped',
  ],
  [
    'after the wallet disconnected while it asked',
    { order: signed, record: { ...record, asked: true }, run: ended({ reason: 'other' }, 'no_response') },
    'dfttt',
    'no_response',
  ],
  [
    'whose voucher differs from the confirmation',
    { order: signed, record, run: ended({ reason: 'call_differs', fault: 'amount' }, 'differs') },
    'dfttt',
    'differs',
  ],
  ['without a block yet', { order: signed, record: { ...record, asked: true, hash: '0xb' } }, 'ddntt', 'sent'],
  [
    'without a block at its deadline',
    { order: signed, record: { ...record, hash: '0xb' }, isOverdue: true },
    'ddntt',
    'sent',
  ],
  [
    'in a block that the server has not seen',
    { order: signed, record, run: { state: 'mined', isRunning: false, isPrepared: true } },
    'dddnt',
    'mined',
  ],
  [
    'whose nonce is used, so it was paid elsewhere',
    { order: signed, record, run: ended({ revert: 'NonceUsed' }) },
    'dddnt',
    'mined',
  ],
  ['that another device submitted', { order: submitted }, 'dddnt', 'mined'],
  ['with all confirmations', { order: { ...submitted, confirmations: 15 } }, 'ddddn', 'confirmed'],
  [
    'that is completed despite a failure here',
    {
      order: { ...submitted, status: 'completed' },
      record: { ...record, failedHash: '0xb' },
      run: ended({}),
      isOverdue: true,
    },
    'ddddd',
    'done',
  ],
  ['past its deadline', { order: signed, isOverdue: true }, 'dfttt', 'overdue'],
  [
    'past its deadline by the chain',
    { order: signed, record, run: ended({ revert: 'VoucherExpired' }) },
    'dfttt',
    'overdue',
  ],
  [
    'that was reverted for its deadline before a reload',
    { order: signed, record: { ...record, failedHash: '0xb', failedBy: 'reverted', failedRevert: 'VoucherExpired' } },
    'dfttt',
    'overdue',
  ],
  ['that its user cancelled', { order: { ...locked, status: 'cancelled' }, record }, 'dfttt', 'expired'],
  [
    'whose amount returned',
    { order: { ...locked, status: 'expired' }, record: { ...record, hash: '0xb' } },
    'dfttt',
    'expired',
  ],
  [
    'that failed on the chain before a reload',
    { order: signed, record: { ...record, failedHash: '0xb', failedBy: 'out_of_gas' } },
    'dfttt',
    'stopped',
  ],
  [
    'that the wallet cancelled',
    {
      order: signed,
      record: { ...record, failedHash: '0xb', failedBy: 'cancelled' },
      run: ended({ reason: 'payment_failed', lost: 'cancelled' }),
    },
    'dfttt',
    'stopped',
  ],
  [
    'that the network dropped',
    { order: signed, record: { ...record, failedHash: '0xb', failedBy: 'dropped' } },
    'dfttt',
    'no_response',
  ],
]

test.each(table)('shows a transfer out %s', (_name, facts, letters, state) => {
  const view = viewOf(facts)
  expect(view.state).toBe(state)
  const steps = paymentSteps(view.state, { ...view, hasFailed: view.failure !== undefined })
  expect(steps.map((step) => step.state[0]).join('')).toBe(letters)
})

test('shows past the deadline only the deadline as the reason', () => {
  const failureOf = (facts: Facts) => viewOf({ order: signed, isOverdue: true, ...facts }).failure
  expect(viewOf({ order: signed, run: ended({ revert: 'EnforcedPause' }) }).failure).toBeDefined()
  expect(failureOf({ run: ended({ revert: 'EnforcedPause' }) })).toBeUndefined()
  expect(failureOf({ record: { ...record, failedHash: '0xb', failedBy: 'out_of_gas' } })).toBeUndefined()
  expect(failureOf({ run: ended({ revert: 'VoucherExpired' }) })).toMatchObject({ revert: 'VoucherExpired' })
  const late = { ...record, failedHash: '0xb', failedBy: 'reverted', failedRevert: 'VoucherExpired' } as const
  expect(failureOf({ record: late })).toMatchObject({ lost: 'reverted', revert: 'VoucherExpired' })
})
