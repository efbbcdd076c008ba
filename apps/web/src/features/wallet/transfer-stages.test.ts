import { expect, test } from 'vitest'
import type { PaymentFailure } from './pay-transfer.ts'
import { type NextStep, type TransferFacts, transferStages } from './transfer-stages.ts'

const record = { orderId: '0x01', asset: 'USDT', amount: '100', startedAt: '2026-01-01T00:00:00Z' }
const created = { status: 'created', confirmations: 0, required: 15 } as const
const seen = { status: 'seen', confirmations: 3, required: 15 } as const
const refused: PaymentFailure = { at: 'send', reason: 'refused', detail: '', nothingSent: true }
const approveRefused: PaymentFailure = { ...refused, at: 'approve' }
const vanished: PaymentFailure = { at: 'send', reason: 'other', detail: '', nothingSent: false }

/** One letter per stage: approve, send, seen, confirm, credit; d = done, n = now, t = to do, f = failed. */
const table: [name: string, facts: Partial<TransferFacts>, stages: string, next: NextStep][] = [
  ['an order that nobody has paid', { order: created }, 'ttttt', 'pay'],
  ['an order that is not in the list yet', {}, 'ttttt', 'pay'],
  ['the allowance is being read', { order: created, step: 'checking' }, 'ntttt', 'wait'],
  ['the wallet asks for the approval', { order: created, step: 'approve_in_wallet' }, 'ntttt', 'answer_wallet'],
  ['the approval is refused', { order: created, failure: approveRefused }, 'ftttt', 'retry'],
  [
    'the approval waits for its block',
    { order: created, record: { ...record, approveHash: '0xa' }, step: 'approve_on_chain' },
    'ntttt',
    'wait',
  ],
  [
    'the page was reloaded while the approval waits',
    { order: created, record: { ...record, approveHash: '0xa' } },
    'ntttt',
    'pay',
  ],
  ['approved, nothing sent', { order: created, record: { ...record, approved: true } }, 'dtttt', 'pay'],
  [
    'the wallet asks for the deposit',
    { record: { ...record, approved: true, sendAsked: true }, step: 'send_in_wallet' },
    'dnttt',
    'answer_wallet',
  ],
  [
    'the page was reloaded while the wallet asked',
    { order: created, record: { ...record, approved: true, sendAsked: true } },
    'dnttt',
    'check_wallet',
  ],
  [
    'the deposit is refused',
    { order: created, record: { ...record, approved: true, sendAsked: false }, failure: refused },
    'dfttt',
    'retry',
  ],
  [
    'the wallet went away while it was asked',
    { order: created, record: { ...record, approved: true, sendAsked: true }, failure: vanished },
    'dfttt',
    'check_wallet',
  ],
  [
    'sent, in no block yet',
    { order: created, record: { ...record, approved: true, sendHash: '0xb' } },
    'ddntt',
    'wait',
  ],
  [
    'in a block, the server has not seen it yet',
    { order: created, record: { ...record, sendHash: '0xb' }, mined: true },
    'dddnt',
    'wait',
  ],
  [
    'failed on the chain',
    { order: created, record: { ...record, approved: true, sendHash: '0xb' }, mined: false },
    'dfttt',
    'retry',
  ],
  [
    'replaced by a faster one that the server sees',
    { order: seen, record: { ...record, sendHash: '0xb' }, mined: false },
    'dddnt',
    'wait',
  ],
  ['seen, with no record on this device', { order: seen }, 'dddnt', 'wait'],
  ['confirmed, not credited yet', { order: { ...seen, confirmations: 15 } }, 'ddddn', 'wait'],
  ['credited', { order: { status: 'credited', confirmations: 15, required: 15 } }, 'ddddd', 'done'],
  [
    'credited, whatever this device believed',
    { order: { status: 'credited', confirmations: 15, required: 15 }, failure: refused, mined: false },
    'ddddd',
    'done',
  ],
  ['lapsed unpaid', { order: { ...created, status: 'expired' } }, 'ttttt', 'restart'],
  [
    'lapsed, but sent',
    { order: { ...created, status: 'expired' }, record: { ...record, sendHash: '0xb' } },
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
