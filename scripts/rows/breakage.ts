import type { SyntaxNode } from '../boundaries/sources.ts'

/** A change of the source that takes away the behaviour of one row of the specification, where that behaviour is computed. */
export interface Breakage {
  /** The row, such as `4.09`. */
  readonly row: string
  /** From the root of the repository. */
  readonly file: string
  readonly edit: Edit
}

export interface Edit {
  /** One line for the table. */
  readonly about: string
  /** @returns the ranges to replace. Empty where the code has changed so that the edit no longer fits. */
  readonly find: (program: SyntaxNode, text: string) => readonly Replacement[]
}

export interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}
