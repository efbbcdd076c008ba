/**
 * The state of a payment of any purpose.
 *
 * `preparing`: the server is not ready to be paid. `ready`: your turn. `checking`: reads the chain before the wallet
 * opens. `signing`, `approving`, `paying`: the wallet asks its user. `approval_sent`, `sent`: waits for a block. `mined`:
 * the server counts confirmations. `confirmed`: the server settles. `stopped`: did not happen, can be tried again.
 * `no_response`: only the wallet's user can see whether the payment was sent. `differs`: the server's call is not the
 * confirmed one. `overdue`: the deadline passed with nothing submitted. `expired`: the order ended unpaid.
 */
export type PaymentState = keyof typeof TRANSITIONS

/** Events of this device (`start` to `mismatch`) and of the server's order (`order_…`, `deadline_passed`). */
export type PaymentEvent =
  | 'start'
  | 'ask_permit'
  | 'permit_signed'
  | 'ask_approval'
  | 'approval_sent'
  | 'approval_mined'
  | 'ask_payment'
  | 'payment_sent'
  | 'payment_mined'
  /** Nothing was paid, for certain. */
  | 'fail'
  /** The outcome of the payment is unknown. */
  | 'lose'
  | 'mismatch'
  | 'order_locked'
  | 'order_open'
  | 'order_seen'
  | 'order_confirmed'
  | 'order_done'
  /** The order ended unpaid; a late payment still counts. */
  | 'order_lapsed'
  /** The order ended, and its amount is back in the balance. */
  | 'order_returned'
  | 'deadline_passed'

/** The server's word holds in every state, as another device may have paid. */
const SETTLED = { order_confirmed: 'confirmed', order_done: 'done', order_returned: 'expired' } as const
const SERVER = { order_seen: 'mined', ...SETTLED } as const
/** While nothing is in progress here, another tab may send, and the order may become unpayable. */
const RESTING = { ...SERVER, payment_sent: 'sent', deadline_passed: 'overdue' } as const

/** Each state with the events that leave it. An event that a state does not name changes nothing. */
export const TRANSITIONS = {
  preparing: { ...RESTING, order_open: 'ready' },
  ready: {
    ...RESTING,
    start: 'checking',
    approval_sent: 'approval_sent',
    fail: 'stopped',
    lose: 'no_response',
    order_locked: 'preparing',
    order_lapsed: 'expired',
  },
  checking: {
    ...SERVER,
    ask_permit: 'signing',
    ask_approval: 'approving',
    approval_sent: 'approval_sent',
    ask_payment: 'paying',
    fail: 'stopped',
    lose: 'no_response',
    mismatch: 'differs',
  },
  signing: { ...SERVER, permit_signed: 'checking', fail: 'stopped', lose: 'no_response' },
  approving: { ...SERVER, approval_sent: 'approval_sent', fail: 'stopped', lose: 'no_response' },
  approval_sent: {
    ...SERVER,
    payment_sent: 'sent',
    approval_mined: 'checking',
    fail: 'stopped',
    lose: 'no_response',
  },
  paying: { ...SERVER, payment_sent: 'sent', fail: 'stopped', lose: 'no_response' },
  sent: { ...SERVER, payment_mined: 'mined', fail: 'stopped', lose: 'no_response' },
  mined: SETTLED,
  confirmed: { order_done: 'done', order_returned: 'expired' },
  done: {},
  stopped: { ...RESTING, start: 'checking', order_locked: 'preparing' },
  no_response: { ...RESTING, start: 'checking', order_locked: 'preparing' },
  differs: { ...RESTING, order_locked: 'preparing' },
  overdue: { ...SERVER, payment_sent: 'sent' },
  expired: { ...SERVER, payment_sent: 'sent' },
} as const satisfies Record<string, Partial<Record<PaymentEvent, string>>>

export function reducePayment(state: PaymentState, event: PaymentEvent): PaymentState {
  const next: Partial<Record<PaymentEvent, PaymentState>> = TRANSITIONS[state]
  return next[event] ?? state
}

export type StepKey = 'prepare' | 'send' | 'block' | 'confirm' | 'settle'
export type StepState = 'done' | 'now' | 'todo' | 'failed'

const STEP_KEYS: readonly StepKey[] = ['prepare', 'send', 'block', 'confirm', 'settle']
const STEP_STATES: Readonly<Record<string, StepState>> = { d: 'done', n: 'now', t: 'todo', f: 'failed' }

/** One letter per step: done, now, todo, failed. Of two rows the second is for a payment that is prepared. */
const STEPS: Readonly<Record<PaymentState, string | readonly [string, string]>> = {
  preparing: 'ntttt',
  ready: ['ttttt', 'dtttt'],
  checking: ['ntttt', 'dnttt'],
  signing: 'ntttt',
  approving: 'ntttt',
  approval_sent: 'ntttt',
  paying: 'dnttt',
  sent: 'ddntt',
  mined: 'dddnt',
  confirmed: 'ddddn',
  done: 'ddddd',
  stopped: ['ftttt', 'dfttt'],
  no_response: 'dnttt',
  differs: ['ftttt', 'dfttt'],
  overdue: ['ftttt', 'dfttt'],
  expired: ['ttttt', 'dfttt'],
}

/**
 * @param isPrepared whether the vault may take the amount already, or the voucher is signed.
 * @param hasFailed whether the wallet's response is known to be lost; else it may still come.
 */
export function paymentSteps(
  state: PaymentState,
  { isPrepared, hasFailed }: { isPrepared: boolean; hasFailed: boolean },
): { key: StepKey; state: StepState }[] {
  const row = state === 'no_response' && hasFailed ? STEPS.stopped : STEPS[state]
  const letters = typeof row === 'string' ? row : row[isPrepared || state === 'no_response' ? 1 : 0]
  return STEP_KEYS.map((key, index) => ({ key, state: STEP_STATES[letters[index] ?? ''] ?? 'todo' }))
}

/** Returns whether the wallet shows its user a request. */
export function isAsking(state: PaymentState): boolean {
  return state === 'signing' || state === 'approving' || state === 'paying'
}

/**
 * The number of the wallet's request that its user decides on now, where it asks twice: for the permit or the approval, then
 * for the payment. `undefined` where it asks once or not now.
 *
 * @param wasPrepared whether the permit or the approval was requested for this payment.
 */
export function requestNumber(state: PaymentState, { wasPrepared }: { wasPrepared: boolean }): 1 | 2 | undefined {
  if (state === 'signing' || state === 'approving') return 1
  return state === 'paying' && wasPrepared ? 2 : undefined
}

/** Returns whether the payment continues without the user, except for requests of the wallet. */
export function isInProgress(state: PaymentState): boolean {
  return isAsking(state) || ['checking', 'approval_sent', 'sent', 'mined', 'confirmed'].includes(state)
}
