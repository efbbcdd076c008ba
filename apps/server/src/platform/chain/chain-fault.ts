import { nodeErrorOf } from './node-error.ts'

/** Kinds of responses that no honest node gives. */
export type FaultKind =
  | 'wrong_chain'
  | 'refused'
  | 'malformed'
  | 'not_asked'
  | 'removed'
  | 'duplicate'
  | 'unordered'
  | 'not_canonical'
  | 'absurd_amount'
  | 'future_block'
  | 'too_large'

/** Rejects a node's whole response: no part of it is used. The message is for the operator. */
export class ChainFault extends Error {
  override readonly name = 'ChainFault'
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Two nodes contradict each other about the same chain, so neither response is used. */
export class ChainDisagreement extends Error {
  override readonly name = 'ChainDisagreement'
  /** The subject of the difference, without figures: it identifies the alarm. */
  readonly about: string

  constructor(about: string, message: string) {
    super(message)
    this.about = about
  }
}

/** The node lags: it does not have a block yet that another response named. A fault only if it lasts. */
export class ChainBehind extends Error {
  override readonly name = 'ChainBehind'
}

/** True if the chain could not be read because of its nodes, not because of a bug here. A retry may succeed. */
export function isChainTrouble(error: unknown): boolean {
  return (
    error instanceof ChainFault ||
    error instanceof ChainDisagreement ||
    error instanceof ChainBehind ||
    nodeErrorOf(error) !== undefined
  )
}
