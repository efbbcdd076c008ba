import { expect, test } from 'vitest'
import type { PaymentRecord } from '../../vault-payment/payment-record.ts'
import type { Failure, PaymentRun } from '../../vault-payment/payment-run.ts'
import { type PaymentState, paymentSteps } from '../../vault-payment/payment-state.ts'
import { viewPayment } from '../../vault-payment/use-payment.ts'
import { transferInEvent } from './transfer-in-payment.tsx'

interface Facts {
  readonly order?: Parameters<typeof transferInEvent>[0]
  readonly record?: PaymentRecord
  readonly run?: PaymentRun
}

const record = { orderId: '0x01', transfer: { asset: 'USDT', amount: '100' } }
const created = { status: 'created', confirmations: 0, required: 15 } as const
const seen = { status: 'seen', confirmations: 3, required: 15 } as const
const credited = { status: 'credited', confirmations: 15, required: 15 } as const
const running = (state: PaymentState, isPrepared = false): PaymentRun => ({ state, isRunning: true, isPrepared })
const ended = (state: PaymentState, failure: Partial<Failure>, isPrepared = false): PaymentRun => ({
  state,
  isRunning: false,
  isPrepared,
  failure: { reason: 'rejected', detail: '', ...failure },
})
const rejected = ended('stopped', {})
const paymentRejected = ended('stopped', {}, true)

/** One letter per step: approve, send, block, confirm, credit; d = done, n = now, t = to do, f = failed. */
const table: [name: string, facts: Facts, steps: string, state: PaymentState][] = [
  ['for an unpaid order', { order: created }, 'ttttt', 'ready'],
  ['for an order that is not in the list yet', {}, 'ttttt', 'ready'],
  ['while the allowance is read', { order: created, run: running('checking') }, 'ntttt', 'checking'],
  ['while the wallet asks for the approval', { order: created, run: running('approving') }, 'ntttt', 'approving'],
  ['after a rejected approval or permit', { order: created, run: rejected }, 'ftttt', 'stopped'],
  [
    'while the approval waits for its block',
    { order: created, record: { ...record, approvalHash: '0xa' }, run: running('approval_sent') },
    'ntttt',
    'approval_sent',
  ],
  [
    'after a reload while the approval waits',
    { order: created, record: { ...record, approvalHash: '0xa' } },
    'ntttt',
    'approval_sent',
  ],
  ['while the wallet asks for the permit', { order: created, run: running('signing') }, 'ntttt', 'signing'],
  [
    'while the wallet asks for a permitted payment',
    { record: { ...record, permitted: true, asked: true }, run: running('paying', true) },
    'dnttt',
    'paying',
  ],
  ['after a permitted payment was rejected', { order: created, record, run: paymentRejected }, 'dfttt', 'stopped'],
  [
    'after a reload with a permit that was never sent',
    { order: created, record: { ...record, permitted: true } },
    'ttttt',
    'ready',
  ],
  [
    'after a cancelled approval',
    { order: created, record, run: ended('stopped', { reason: 'approval_failed', lost: 'cancelled' }) },
    'ftttt',
    'stopped',
  ],
  [
    'after the network dropped the payment',
    { order: created, record: { ...record, approved: true, failedHash: '0xb', failedBy: 'dropped' } },
    'dfttt',
    'no_response',
  ],
  ['with an approval and nothing sent', { order: created, record: { ...record, approved: true } }, 'dtttt', 'ready'],
  [
    'after a reload while the wallet asked',
    { order: created, record: { ...record, approved: true, asked: true } },
    'dnttt',
    'no_response',
  ],
  [
    'after the approved payment was rejected',
    { order: created, record: { ...record, approved: true }, run: rejected },
    'dfttt',
    'stopped',
  ],
  [
    'after the wallet disconnected while it asked',
    {
      order: created,
      record: { ...record, approved: true, asked: true },
      run: ended('no_response', { reason: 'other' }, true),
    },
    'dfttt',
    'no_response',
  ],
  ['without a block yet', { order: created, record: { ...record, approved: true, hash: '0xb' } }, 'ddntt', 'sent'],
  [
    'in a block that the server has not seen',
    {
      order: created,
      record: { ...record, hash: '0xb' },
      run: { state: 'mined', isRunning: false, isPrepared: true },
    },
    'dddnt',
    'mined',
  ],
  [
    'while its block is awaited',
    { order: created, record: { ...record, approved: true, hash: '0xb' }, run: running('sent', true) },
    'ddntt',
    'sent',
  ],
  [
    'after another tab sent it',
    { order: created, record: { ...record, hash: '0xb' }, run: paymentRejected },
    'ddntt',
    'sent',
  ],
  [
    'after it failed on the chain',
    { order: created, record: { ...record, approved: true, failedHash: '0xb' } },
    'dfttt',
    'stopped',
  ],
  ['replaced by one that the server sees', { order: seen, record: { ...record, failedHash: '0xb' } }, 'dddnt', 'mined'],
  ['from another device', { order: seen }, 'dddnt', 'mined'],
  ['with all confirmations', { order: { ...seen, confirmations: 15 } }, 'ddddn', 'confirmed'],
  ['credited', { order: credited }, 'ddddd', 'done'],
  [
    'credited despite a failure here',
    { order: credited, record: { ...record, failedHash: '0xb' }, run: rejected },
    'ddddd',
    'done',
  ],
  ['for an expired unpaid order', { order: { ...created, status: 'expired' } }, 'ttttt', 'expired'],
  [
    'sent for an expired order',
    { order: { ...created, status: 'expired' }, record: { ...record, hash: '0xb' } },
    'ddntt',
    'sent',
  ],
]

test.each(table)('shows a transfer in %s', (_name, { order, ...facts }, letters, state) => {
  const purpose = { orderEvent: () => transferInEvent(order), allowance: { token: '0xe7', units: 1n } }
  const view = viewPayment(purpose, facts)
  expect(view.state).toBe(state)
  const steps = paymentSteps(view.state, { ...view, hasFailed: view.failure !== undefined })
  expect(steps.map((step) => step.state[0]).join('')).toBe(letters)
})

test('prepares nothing for the native coin', () => {
  expect(viewPayment({ orderEvent: () => transferInEvent(created) }, {})).toMatchObject({ isPrepared: true })
})
