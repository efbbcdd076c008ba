import { expect, test } from 'vitest'
import type { Paying } from '../../wallet/paying.ts'
import { type NextStep, type TransferFacts, transferStages } from './transfer-stages.ts'

const record = { orderId: '0x01', transfer: { asset: 'USDT', amount: '100' } }
const at = (stage: Paying['stage']): Paying => ({ stage, isRunning: true })
const created = { status: 'created', confirmations: 0, required: 15 } as const
const seen = { status: 'seen', confirmations: 3, required: 15 } as const
const refused: Paying = { stage: 'paying', isRunning: false, failure: { reason: 'refused', detail: '' } }
const approveRefused: Paying = { ...refused, stage: 'approving' }
const vanished: Paying = { ...refused, failure: { reason: 'other', detail: '' } }

/** One letter per stage: approve, send, seen, confirm, credit; d = done, n = now, t = to do, f = failed. */
const table: [name: string, facts: Partial<TransferFacts>, stages: string, next: NextStep][] = [
  ['an order that nobody has paid', { order: created }, 'ttttt', 'pay'],
  ['an order that is not in the list yet', {}, 'ttttt', 'pay'],
  ['the allowance is being read', { order: created, paying: at('checking') }, 'ntttt', 'wait'],
  ['the wallet asks for the approval', { order: created, paying: at('approving') }, 'ntttt', 'answer_wallet'],
  ['the approval is refused', { order: created, paying: approveRefused }, 'ftttt', 'retry'],
  [
    'the approval waits for its block',
    { order: created, record: { ...record, approvalHash: '0xa' }, paying: at('approval_sent') },
    'ntttt',
    'wait',
  ],
  [
    'the page was reloaded while the approval waits',
    { order: created, record: { ...record, approvalHash: '0xa' } },
    'ntttt',
    'pay',
  ],
  ['the wallet asks for the permit', { order: created, paying: at('signing') }, 'ntttt', 'answer_wallet'],
  ['the permit is refused', { order: created, paying: { ...refused, stage: 'signing' } }, 'ftttt', 'retry'],
  [
    'permitted, and the wallet asks for the deposit',
    { record: { ...record, permitted: true, asked: true }, paying: at('paying') },
    'dnttt',
    'answer_wallet',
  ],
  ['permitted, and the deposit is refused', { order: created, record, paying: refused }, 'dfttt', 'retry'],
  [
    'a permit that was signed before a reload, and never sent',
    { order: created, record: { ...record, permitted: true } },
    'ttttt',
    'pay',
  ],
  [
    'an approval that was cancelled',
    {
      order: created,
      record,
      paying: {
        ...approveRefused,
        stage: 'approval_sent',
        failure: { reason: 'approval_failed', detail: '', lost: 'cancelled' },
      },
    },
    'ftttt',
    'retry',
  ],
  [
    'dropped by the network: what took its place is not known',
    { order: created, record: { ...record, approved: true, failedHash: '0xb', failedBy: 'dropped' } },
    'dfttt',
    'check_wallet',
  ],
  ['approved, nothing sent', { order: created, record: { ...record, approved: true } }, 'dtttt', 'pay'],
  [
    'the wallet asks for the deposit',
    { record: { ...record, approved: true, asked: true }, paying: at('paying') },
    'dnttt',
    'answer_wallet',
  ],
  [
    'the page was reloaded while the wallet asked',
    { order: created, record: { ...record, approved: true, asked: true } },
    'dnttt',
    'check_wallet',
  ],
  [
    'the deposit is refused',
    { order: created, record: { ...record, approved: true }, paying: refused },
    'dfttt',
    'retry',
  ],
  [
    'the wallet went away while it was asked',
    { order: created, record: { ...record, approved: true, asked: true }, paying: vanished },
    'dfttt',
    'check_wallet',
  ],
  ['sent, in no block yet', { order: created, record: { ...record, approved: true, hash: '0xb' } }, 'ddntt', 'wait'],
  [
    'in a block, the server has not seen it yet',
    { order: created, record: { ...record, hash: '0xb' }, paying: { stage: 'mined', isRunning: false } },
    'dddnt',
    'wait',
  ],
  [
    'on its way, its block waited for',
    { order: created, record: { ...record, approved: true, hash: '0xb' }, paying: at('sent') },
    'ddntt',
    'wait',
  ],
  [
    'paid anew after it failed on the chain',
    { order: created, record: { ...record, approved: true, asked: true }, paying: at('paying') },
    'dnttt',
    'answer_wallet',
  ],
  [
    'failed on the chain',
    { order: created, record: { ...record, approved: true, failedHash: '0xb' } },
    'dfttt',
    'retry',
  ],
  [
    'replaced by a faster one that the server sees',
    { order: seen, record: { ...record, failedHash: '0xb' } },
    'dddnt',
    'wait',
  ],
  ['seen, with no record on this device', { order: seen }, 'dddnt', 'wait'],
  ['confirmed, not credited yet', { order: { ...seen, confirmations: 15 } }, 'ddddn', 'wait'],
  ['credited', { order: { status: 'credited', confirmations: 15, required: 15 } }, 'ddddd', 'done'],
  [
    'credited, whatever this device believed',
    {
      order: { status: 'credited', confirmations: 15, required: 15 },
      record: { ...record, failedHash: '0xb' },
      paying: refused,
    },
    'ddddd',
    'done',
  ],
  ['lapsed unpaid', { order: { ...created, status: 'expired' } }, 'ttttt', 'restart'],
  [
    'lapsed, but sent',
    { order: { ...created, status: 'expired' }, record: { ...record, hash: '0xb' } },
    'ddntt',
    'wait',
  ],
]

test.each(table)('%s', (_name, facts, letters, next) => {
  const view = transferStages({ native: false, ...facts })
  expect(view.stages.map(({ state }) => state[0]).join('')).toBe(letters)
  expect(view.next).toBe(next)
})

test('the native coin needs no approval', () => {
  expect(transferStages({ native: true, order: created }).stages.map(({ key }) => key)).toEqual([
    'send',
    'seen',
    'confirm',
    'credit',
  ])
})

test('at no time are two stages under way, and nothing is done behind what is not', () => {
  for (const [, facts] of table) {
    const states = transferStages({ native: false, ...facts }).stages.map(({ state }) => state)
    expect(states.filter((state) => state === 'now').length).toBeLessThanOrEqual(1)
    expect(states.lastIndexOf('done')).toBe(states.filter((state) => state === 'done').length - 1)
  }
})
