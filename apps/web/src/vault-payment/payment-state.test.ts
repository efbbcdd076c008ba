import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isAsking,
  type PaymentEvent,
  type PaymentState,
  paymentSteps,
  reducePayment,
  requestNumber,
  TRANSITIONS,
} from './payment-state.ts'

const STATES = Object.keys(TRANSITIONS) as PaymentState[]
const EVENTS = [...new Set(STATES.flatMap((state) => Object.keys(TRANSITIONS[state])))] as PaymentEvent[]
const exitsOf = (state: PaymentState) => Object.entries(TRANSITIONS[state]) as [PaymentEvent, PaymentState][]

/** How each state is first reached: the events of a typical payment, from `ready`. */
const PATHS: Record<PaymentState, readonly PaymentEvent[]> = {
  ready: [],
  preparing: ['order_locked'],
  checking: ['start'],
  signing: ['start', 'ask_permit'],
  approving: ['start', 'ask_approval'],
  approval_sent: ['start', 'ask_approval', 'approval_sent'],
  paying: ['start', 'ask_permit', 'permit_signed', 'ask_payment'],
  sent: ['start', 'ask_payment', 'payment_sent'],
  mined: ['start', 'ask_payment', 'payment_sent', 'payment_mined'],
  confirmed: ['start', 'ask_payment', 'payment_sent', 'payment_mined', 'order_confirmed'],
  done: ['start', 'ask_payment', 'payment_sent', 'payment_mined', 'order_confirmed', 'order_done'],
  stopped: ['start', 'ask_payment', 'fail'],
  no_response: ['start', 'ask_payment', 'lose'],
  differs: ['start', 'mismatch'],
  overdue: ['deadline_passed'],
  expired: ['order_lapsed'],
}

test.each(STATES)('reaches %s by its typical events', (state) => {
  expect(PATHS[state].reduce<PaymentState>(reducePayment, 'ready')).toBe(state)
})

test.each(STATES)('%s allows only the events of the table', (state) => {
  const exits = new Map(exitsOf(state))
  for (const event of EVENTS) expect([event, reducePayment(state, event)]).toEqual([event, exits.get(event) ?? state])
})

test('keeps to the table in every sequence of events', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS)), (events) => {
      let state: PaymentState = 'ready'
      for (const event of events) {
        const next = reducePayment(state, event)
        expect([state, ...exitsOf(state).map(([, to]) => to)]).toContain(next)
        state = next
      }
    }),
  )
})

test('a sent payment is requested again only after failure or loss', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }), (events) => {
      let state: PaymentState = 'ready'
      let isSent = false
      for (const event of events) {
        state = reducePayment(state, event)
        if (state === 'sent' || state === 'mined') isSent = true
        if (state === 'stopped' || state === 'no_response') isSent = false
        if (isSent) expect(isAsking(state)).toBe(false)
      }
    }),
  )
})

test('a done payment never changes; the server ends every other state', () => {
  expect(exitsOf('done')).toEqual([])
  for (const state of STATES) expect(reducePayment(state, 'order_done')).toBe('done')
})

test('lets the wallet ask only out of a check', () => {
  for (const state of STATES) for (const [, next] of exitsOf(state)) if (isAsking(next)) expect(state).toBe('checking')
})

test.each(STATES)('%s has one current step at most, without done steps after', (state) => {
  for (const isPrepared of [true, false])
    for (const hasFailed of [true, false]) {
      const steps = paymentSteps(state, { isPrepared, hasFailed }).map((step) => step.state)
      expect(steps.filter((step) => step === 'now').length).toBeLessThanOrEqual(1)
      expect(steps.lastIndexOf('done')).toBe(steps.filter((step) => step === 'done').length - 1)
    }
})

test.each([
  ['signing', false, 1],
  ['approving', false, 1],
  ['paying', true, 2],
  // The vault could take the amount already, or the coin needs no approval.
  ['paying', false, undefined],
  ['checking', true, undefined],
  ['sent', true, undefined],
] as const)('in %s, prepared %s: request number %s of two', (state, wasPrepared, number) => {
  expect(requestNumber(state, { wasPrepared })).toBe(number)
})
