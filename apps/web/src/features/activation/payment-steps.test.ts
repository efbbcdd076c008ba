import { expect, test } from 'vitest'
import { type PaymentFacts, paymentSteps } from './payment-steps.ts'

const created = { status: 'created', confirmations: 0, required: 15 } as const
const seen = { status: 'seen', confirmations: 3, required: 15 } as const
const refused = { reason: 'refused', detail: '' } as const

/** approve, send, seen, confirm, activate → next */
const CASES: [string, PaymentFacts, string, string][] = [
  [
    'an order not paid yet',
    { order: created, record: undefined, paying: undefined },
    'todo todo todo todo todo',
    'pay',
  ],
  [
    'an approval from before a reload, in its block by now',
    { order: created, record: { approved: true }, paying: undefined },
    'done todo todo todo todo',
    'pay',
  ],
  [
    'the wallet being asked to approve',
    { order: created, record: undefined, paying: { stage: 'approving', isRunning: true } },
    'now todo todo todo todo',
    'answer_wallet',
  ],
  [
    'an approval that was refused',
    { order: created, record: undefined, paying: { stage: 'approving', isRunning: false, failure: refused } },
    'failed todo todo todo todo',
    'retry',
  ],
  [
    'the wallet being asked to pay',
    { order: created, record: { asked: true }, paying: { stage: 'paying', isRunning: true } },
    'done now todo todo todo',
    'answer_wallet',
  ],
  [
    'a payment that was refused',
    { order: created, record: undefined, paying: { stage: 'paying', isRunning: false, failure: refused } },
    'done failed todo todo todo',
    'retry',
  ],
  [
    'a reload while the wallet asked',
    { order: created, record: { asked: true }, paying: undefined },
    'done todo todo todo todo',
    'check_wallet',
  ],
  [
    'a payment on its way',
    { order: created, record: { asked: true, hash: '0x1' }, paying: { stage: 'sent', isRunning: true } },
    'done done now todo todo',
    'wait',
  ],
  [
    'a reload while the payment was on its way',
    { order: created, record: { asked: true, hash: '0x1' }, paying: undefined },
    'done done now todo todo',
    'wait',
  ],
  [
    'a payment that failed on the chain',
    {
      order: created,
      record: undefined,
      paying: { stage: 'sent', isRunning: false, failure: { reason: 'payment_failed', detail: '' } },
    },
    'done failed todo todo todo',
    'retry',
  ],
  [
    'a payment in its block, before the server looked',
    { order: created, record: { hash: '0x1' }, paying: { stage: 'mined', isRunning: false } },
    'done done done now todo',
    'wait',
  ],
  [
    'a payment made elsewhere',
    { order: seen, record: undefined, paying: undefined },
    'done done done now todo',
    'wait',
  ],
  [
    'a payment that is credited, in the moment before the account turns',
    { order: { status: 'credited', confirmations: 15, required: 15 }, record: undefined, paying: undefined },
    'done done done done now',
    'wait',
  ],
  [
    'a permit that the wallet is asked to sign',
    { order: created, record: undefined, paying: { stage: 'signing', isRunning: true } },
    'now todo todo todo todo',
    'answer_wallet',
  ],
  [
    'a payment that ran out of gas, told of after a reload',
    { order: created, record: { failedHash: '0x1', failedBy: 'out_of_gas' }, paying: undefined },
    'done failed todo todo todo',
    'retry',
  ],
  [
    'a payment that the network no longer knows',
    { order: created, record: { failedHash: '0x1', failedBy: 'dropped' }, paying: undefined },
    'done failed todo todo todo',
    'check_wallet',
  ],
]

test.each(CASES)('%s', (_case, facts, states, next) => {
  const { steps, next: found } = paymentSteps(facts)
  expect([steps.map(({ state }) => state).join(' '), found]).toEqual([states, next])
})
