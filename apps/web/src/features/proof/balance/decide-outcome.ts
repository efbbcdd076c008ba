import type { Fault, Step } from '@clearwell/verify/verify-balance'

/** The findings of a check, before they are judged. */
export type CheckFacts =
  | { readonly kind: 'verified'; readonly steps: readonly Step[]; readonly account: AccountFacts }
  | { readonly kind: 'failed'; readonly why: Failure; readonly isOnline: boolean }

/** The account in the header: its leaves and its rows up to it, and whether it has money now. */
export interface AccountFacts {
  readonly leaves: number
  readonly rows: number
  readonly hasMoney: boolean
}

/**
 * Why there is nothing to verify. `off`: the server makes no headers. `no_key`: the operator publishes no key. `no_proof`: the server has no
 * header or no path of this hour. `not_posted`: the same, before the first check of this device that held. `moved`: the hour ended during the check. `long`: too many rows for a quiet check.
 */
export type Failure =
  | 'no_response'
  | 'off'
  | 'no_key'
  | 'no_proof'
  | 'not_posted'
  | 'busy'
  | 'rejected'
  | 'browser'
  | 'moved'
  | 'long'

/** Why the balance could not be checked. */
export type UnknownReason = Failure | 'offline' | 'incomplete' | 'chain' | 'nothing' | 'not_yet'

/** `holds`: every step is right. `broken`: something is wrong, and the user must know. `unknown`: nothing was found either way. */
export type Outcome =
  | { readonly kind: 'holds' }
  | { readonly kind: 'broken'; readonly fault: Fault }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }

/**
 * Decides the outcome of a check. One wrong step makes it `broken`, also where others could not be checked. An account that the header
 * does not contain is `unknown`: its balance is not in these books yet.
 */
export function decideOutcome(facts: CheckFacts): Outcome {
  if (facts.kind === 'failed') {
    const { why, isOnline } = facts
    return { kind: 'unknown', reason: why === 'no_response' && !isOnline ? 'offline' : why }
  }
  const { steps, account } = facts
  for (const step of steps) if (step.state === 'wrong') return { kind: 'broken', fault: step.fault }
  const unchecked = steps.find(({ state }) => state === 'unchecked')
  if (unchecked) return { kind: 'unknown', reason: unchecked.name === 'chain' ? 'chain' : 'incomplete' }
  if (account.leaves > 0) return { kind: 'holds' }
  return { kind: 'unknown', reason: account.hasMoney || account.rows > 0 ? 'not_yet' : 'nothing' }
}

/** Returns whether there is nothing to check yet, which is no failure: no header is there, or the account is not in it. */
export function isEmpty(outcome: Outcome): boolean {
  return outcome.kind === 'unknown' && ['nothing', 'not_yet', 'not_posted'].includes(outcome.reason)
}
