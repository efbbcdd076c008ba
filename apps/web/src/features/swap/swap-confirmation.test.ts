import { CODES } from '@clearwell/api/codes'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import type { SwapResult } from './swap.queries.ts'
import { BNB_POOL } from './swap.samples.ts'
import {
  type ConfirmEvent,
  type ConfirmState,
  confirmStep,
  movedIn,
  reduceConfirmation,
  startConfirmation,
} from './swap-confirmation.ts'
import {
  type Amounts,
  type ConfirmedSwap,
  confirmedSwapOf,
  feesOf,
  previewQuote,
  swapPayload,
  termsOf,
} from './swap-terms.ts'

const E18 = 10n ** 18n
const trade = { pair: BNB_POOL, inverse: false, fees: feesOf({ swap_total: '0.0025', swap_revenue: '0.0008' }) }
const quote = previewQuote(trade, { exact: 'in', amount: E18 })
if (!quote) throw new Error('the pool quotes 1 BNB')
const terms = termsOf(trade, quote, { exact: 'in', amount: E18, slippageBps: 50n })
const confirmed = { terms, deadline: '2030-01-01T00:20:00.000Z' }
const next = { terms: { ...terms, amountOut: terms.amountOut - 1n }, deadline: '2030-01-01T00:21:00.000Z' }
const swap: ConfirmedSwap = confirmedSwapOf(terms, swapPayload(trade, terms, confirmed.deadline))
const result = { transaction_id: 'a', status: 'completed' } as SwapResult

const refusalOf = (name: keyof typeof CODES, data: unknown = null) =>
  new ApiError(CODES[name].code, CODES[name].msg.en, data)
const refusal = refusalOf('balance_not_enough')
const tooLate = refusalOf('price_moved', { reason: 'deadline_passed', amount_out: '600' })
const now: Amounts = { amountIn: E18, amountOut: 600n * E18 }

const STATES: { readonly [Name in ConfirmState['name']]: Extract<ConfirmState, { name: Name }> } = {
  review: { name: 'review', confirmed, isOffline: false },
  impact: { name: 'impact', confirmed, isOffline: false },
  moved: { name: 'moved', confirmed, now, isLate: false },
  activating: { name: 'activating', confirmed },
  not_activated: { name: 'not_activated', confirmed, error: refusal },
  sending: { name: 'sending', confirmed, swap },
  refused: { name: 'refused', refusal },
  done: { name: 'done', swap, result },
}

const EVENTS: { readonly [Type in ConfirmEvent['type']]: Extract<ConfirmEvent, { type: Type }> } = {
  needs_impact: { type: 'needs_impact', confirmed: next, isOffline: false },
  offline: { type: 'offline', confirmed: next },
  activating: { type: 'activating', confirmed: next },
  activation_failed: { type: 'activation_failed', error: refusal },
  sent: { type: 'sent', confirmed: next, swap },
  completed: { type: 'completed', result },
  refused: { type: 'refused', refusal },
}

const impact: ConfirmState = { name: 'impact', confirmed: next, isOffline: false }
const sending: ConfirmState = { name: 'sending', confirmed: next, swap }
const activating: ConfirmState = { name: 'activating', confirmed: next }
const offline = (name: 'review' | 'impact'): ConfirmState => ({ name, confirmed: next, isOffline: true })

/** Each transition; a state ignores all events that are not listed with it. */
const TRANSITIONS: readonly [ConfirmState['name'], ConfirmEvent['type'], ConfirmState][] = [
  ['review', 'needs_impact', impact],
  ['review', 'offline', offline('review')],
  ['review', 'sent', sending],
  ['review', 'activating', activating],
  ['impact', 'activating', activating],
  ['moved', 'activating', activating],
  ['activating', 'activation_failed', STATES.not_activated],
  ['activating', 'sent', sending],
  ['not_activated', 'activating', activating],
  ['not_activated', 'sent', sending],
  ['impact', 'needs_impact', impact],
  ['impact', 'offline', offline('impact')],
  ['impact', 'sent', sending],
  ['moved', 'needs_impact', impact],
  ['moved', 'offline', offline('review')],
  ['moved', 'sent', sending],
  ['sending', 'completed', STATES.done],
  ['sending', 'refused', STATES.refused],
]

const states = Object.values(STATES)
const events = Object.values(EVENTS)

test.each(states.flatMap((state) => events.map((event) => ({ state, event }))))(
  'a confirmation in $state.name handles $event.type',
  ({ state, event }) => {
    const listed = TRANSITIONS.find(([name, type]) => name === state.name && type === event.type)
    expect(reduceConfirmation(state, event)).toEqual(listed?.[2] ?? state)
  },
)

test('a confirmation starts with the review of its terms', () => {
  expect(startConfirmation(confirmed)).toEqual(STATES.review)
})

test('a refusal that names new amounts offers them', () => {
  const moved = refusalOf('price_moved', { amount_out: '600' })
  expect(reduceConfirmation(STATES.sending, { type: 'refused', refusal: moved })).toEqual(STATES.moved)
  expect(reduceConfirmation(STATES.sending, { type: 'refused', refusal: tooLate })).toEqual({
    ...STATES.moved,
    isLate: true,
  })
  const unnamed = refusalOf('price_moved')
  expect(reduceConfirmation(STATES.sending, { type: 'refused', refusal: unnamed })).toEqual({
    name: 'refused',
    refusal: unnamed,
  })
})

test.each([
  ['a low loss', 0n, { impactAccepted: false, isOnline: true }, 'send'],
  ['a low loss while offline', 0n, { impactAccepted: false, isOnline: false }, 'offline'],
  ['a loss of 3 %', (E18 * 3n) / 100n, { impactAccepted: false, isOnline: true }, 'needs_impact'],
  ['a loss of 3 % while offline', (E18 * 3n) / 100n, { impactAccepted: false, isOnline: false }, 'needs_impact'],
  ['an accepted loss', (E18 * 3n) / 100n, { impactAccepted: true, isOnline: true }, 'send'],
  ['an accepted loss while offline', (E18 * 3n) / 100n, { impactAccepted: true, isOnline: false }, 'offline'],
] as const)('a press with %s leads to the right step', (_case, priceImpactE18, press, step) => {
  expect(confirmStep({ ...confirmed, terms: { ...terms, priceImpactE18 } }, press)).toBe(step)
})

test('a loss of 3% to spot needs a second confirmation', () => {
  const far = { ...terms, spotLossE18: (E18 * 3n) / 100n }
  expect(confirmStep({ ...confirmed, terms: far }, { impactAccepted: false, isOnline: true })).toBe('needs_impact')
})

test('a live quote replaces the terms only before the swap is sent', () => {
  const past = { amountIn: E18, amountOut: terms.limit - 1n }
  const within = { amountIn: E18, amountOut: terms.limit }
  expect(movedIn(STATES.review, past)).toEqual({ now: past, isLate: false })
  expect(movedIn(STATES.impact, past)).toEqual({ now: past, isLate: false })
  expect(movedIn(STATES.review, within)).toBeUndefined()
  expect(movedIn(STATES.review, undefined)).toBeUndefined()
  expect(movedIn(STATES.moved, undefined)).toMatchObject({ now, isLate: false })
  for (const state of [STATES.activating, STATES.sending, STATES.refused, STATES.done])
    expect(movedIn(state, past)).toBeUndefined()
})
