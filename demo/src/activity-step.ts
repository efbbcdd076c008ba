import { createHash } from 'node:crypto'

export type StepKind =
  | 'join'
  | 'swap'
  | 'transfer_in'
  | 'transfer_out'
  | 'set_alert'
  | 'pledge'
  | 'borrow'
  | 'repay'
  | 'click'
  | 'claim'
  | 'request_star'
  | 'approve_stars'
  | 'collect_rt'

/** A step of a simulated user. A user joins before their first step. */
export interface ActivityStep {
  /** Milliseconds after the beginning. */
  readonly afterMs: number
  /** The user's number. */
  readonly user: number
  readonly kind: StepKind
  /** A random number of 32 bits, which decides the details. */
  readonly chance: number
}

/** Creates a deterministic source of random numbers below a limit, seeded by a name. */
export function chooser(name: string): (below: number) => number {
  let step = 0
  return (below) => createHash('sha256').update(`${name} ${step++}`).digest().readUInt32BE() % below
}
