import { nodeErrorOf } from './node-transport.ts'

/** What is wrong with an answer that no honest node gives. */
export type FaultKind =
  | 'wrong_chain'
  | 'malformed'
  | 'not_asked'
  | 'removed'
  | 'duplicate'
  | 'unordered'
  | 'not_canonical'
  | 'absurd_amount'
  | 'future_block'
  | 'too_large'

/** An answer of a node that is refused as a whole: nothing of it is handed on. Its message is for the operator. */
export class ChainFault extends Error {
  override readonly name = 'ChainFault'
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** Two nodes say different things of the same chain, so neither is believed. */
export class ChainDisagreement extends Error {
  override readonly name = 'ChainDisagreement'
  /** What they differ about, without the figures. */
  readonly about: string

  constructor(about: string, message: string) {
    super(message)
    this.about = about
  }
}

/** The node does not have a block yet that another answer spoke of: it lags. Nothing is wrong unless it lasts. */
export class ChainBehind extends Error {
  override readonly name = 'ChainBehind'
}

/** Whether a chain could not be read, for whatever reason that is not this server's: it may be readable later. */
export function isChainTrouble(error: unknown): boolean {
  return (
    error instanceof ChainFault ||
    error instanceof ChainDisagreement ||
    error instanceof ChainBehind ||
    nodeErrorOf(error) !== undefined
  )
}
