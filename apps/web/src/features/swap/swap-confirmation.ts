import type { ApiError } from '../../api/api-error.ts'
import { refusalData } from '../../api/refusal-data.ts'
import type { SwapResult } from './swap.queries.ts'
import { isDeadlinePassed } from './swap-refusal.ts'
import { type Amounts, type ConfirmedSwap, isPastLimit, movedAmounts, type SwapTerms, worstLoss } from './swap-terms.ts'

/** The states of a confirmation, as a pure reducer: from the review of a swap to its outcome. */

/** The confirmed figures. They never change: new figures need a new confirmation. */
export interface ConfirmedTerms {
  readonly terms: SwapTerms
  /** ISO 8601: the swap does not happen after it. */
  readonly deadline: string
}

export type ConfirmState =
  | Asking<'review'>
  /** A large loss, by price impact or against the spot price, needs a second confirmation. */
  | Asking<'impact'>
  /** The server refused, because the price moved past the limit or the deadline passed, and named the new amounts. */
  | { readonly name: 'moved'; readonly confirmed: ConfirmedTerms; readonly now: Amounts; readonly isLate: boolean }
  /** A first swap pays for the activation before it is sent. */
  | { readonly name: 'activating'; readonly confirmed: ConfirmedTerms }
  /** The activation failed, so nothing was swapped. It can be tried again. */
  | { readonly name: 'not_activated'; readonly confirmed: ConfirmedTerms; readonly error: Error }
  | { readonly name: 'sending'; readonly confirmed: ConfirmedTerms; readonly swap: ConfirmedSwap }
  | { readonly name: 'refused'; readonly refusal: ApiError }
  | { readonly name: 'done'; readonly swap: ConfirmedSwap; readonly result: SwapResult }

interface Asking<Name extends 'review' | 'impact'> {
  readonly name: Name
  readonly confirmed: ConfirmedTerms
  /** The last press came while the device was offline, so nothing was sent. */
  readonly isOffline: boolean
}

export type ConfirmEvent =
  /** The user pressed the button, but a second confirmation of the price impact is missing. */
  | { readonly type: 'needs_impact'; readonly confirmed: ConfirmedTerms; readonly isOffline: boolean }
  | { readonly type: 'offline'; readonly confirmed: ConfirmedTerms }
  | { readonly type: 'activating'; readonly confirmed: ConfirmedTerms }
  | { readonly type: 'activation_failed'; readonly error: Error }
  | { readonly type: 'sent'; readonly confirmed: ConfirmedTerms; readonly swap: ConfirmedSwap }
  | { readonly type: 'completed'; readonly result: SwapResult }
  | { readonly type: 'refused'; readonly refusal: ApiError }

type StateOf<Name extends ConfirmState['name']> = Extract<ConfirmState, { name: Name }>
type EventOf<Type extends ConfirmEvent['type']> = Extract<ConfirmEvent, { type: Type }>
type Transition<Name extends ConfirmState['name'], Type extends ConfirmEvent['type']> = (
  state: StateOf<Name>,
  event: EventOf<Type>,
) => ConfirmState
type Transitions = {
  readonly [Name in ConfirmState['name']]: { readonly [Type in ConfirmEvent['type']]?: Transition<Name, Type> }
}

const needsImpact = (_: ConfirmState, { confirmed, isOffline }: EventOf<'needs_impact'>): ConfirmState => ({
  name: 'impact',
  confirmed,
  isOffline,
})
const activating = (_: ConfirmState, { confirmed }: EventOf<'activating'>): ConfirmState => ({
  name: 'activating',
  confirmed,
})
const offlineIn =
  (name: 'review' | 'impact') =>
  (_: ConfirmState, { confirmed }: EventOf<'offline'>): ConfirmState => ({ name, confirmed, isOffline: true })
const sent = (_: ConfirmState, { confirmed, swap }: EventOf<'sent'>): ConfirmState => ({
  name: 'sending',
  confirmed,
  swap,
})

/** All states and their transitions; a state ignores the events that its row does not list. */
const TRANSITIONS: Transitions = {
  review: { needs_impact: needsImpact, offline: offlineIn('review'), activating, sent },
  impact: { needs_impact: needsImpact, offline: offlineIn('impact'), activating, sent },
  moved: { needs_impact: needsImpact, offline: offlineIn('review'), activating, sent },
  activating: {
    activation_failed: ({ confirmed }, { error }) => ({ name: 'not_activated', confirmed, error }),
    sent,
  },
  not_activated: { activating, sent },
  sending: {
    completed: ({ swap }, { result }) => ({ name: 'done', swap, result }),
    refused: ({ confirmed }, { refusal }) => afterRefusal(confirmed, refusal),
  },
  refused: {},
  done: {},
}

export function startConfirmation(confirmed: ConfirmedTerms): ConfirmState {
  return { name: 'review', confirmed, isOffline: false }
}

export function reduceConfirmation(state: ConfirmState, event: ConfirmEvent): ConfirmState {
  const transition: ((state: never, event: never) => ConfirmState) | undefined = TRANSITIONS[state.name][event.type]
  return transition?.(state as never, event as never) ?? state
}

/** Decides the next step after a press of the confirm button. */
export function confirmStep(
  { terms }: ConfirmedTerms,
  { impactAccepted, isOnline }: { impactAccepted: boolean; isOnline: boolean },
): 'needs_impact' | 'offline' | 'send' {
  if (!impactAccepted && worstLoss(terms).level === 'confirmed_twice') return 'needs_impact'
  return isOnline ? 'send' : 'offline'
}

/** The new amounts to offer: from a refusal, or from a live quote past the limit before anything was sent. */
export function movedIn(state: ConfirmState, live: Amounts | undefined): { now: Amounts; isLate: boolean } | undefined {
  switch (state.name) {
    case 'moved':
      return state
    case 'review':
    case 'impact':
      return live && isPastLimit(state.confirmed.terms, live) ? { now: live, isLate: false } : undefined
    default:
      return undefined
  }
}

function afterRefusal(confirmed: ConfirmedTerms, refusal: ApiError): ConfirmState {
  const moved = refusalData(refusal, 'price_moved')
  const now = moved && movedAmounts(confirmed.terms, moved)
  return now ? { name: 'moved', confirmed, now, isLate: isDeadlinePassed(refusal) } : { name: 'refused', refusal }
}
