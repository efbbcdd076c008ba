import type { BookStatement } from '../../domain/proofs/make-headers.ts'

/** One bookkeeper's word about a header. */
export type BookAnswer =
  | Exclude<BookStatement, 'none'>
  /** It answers, and has not judged the header yet. */
  | { readonly later: string }
  /** It does not answer, or its answer has not the right signature. */
  | { readonly away: string }

/** A bookkeeper that answers has so long for a header before the next one's signature counts, in milliseconds. */
export const TURN_MS = 5_000

/**
 * Chooses the statement that counts.
 *
 * A refusal counts before every signature: no bookkeeper signs over the refusal of another active key. Of the signatures, the first
 * bookkeeper's counts; the next one's while the first is away, or has answered for {@link TURN_MS} without a statement.
 *
 * @param answers in the order of the configuration.
 * @param waitedMs for which the header has waited.
 */
export function chooseStatement(answers: readonly BookAnswer[], waitedMs: number): BookStatement {
  const refusal = answers.find((answer) => 'refusal' in answer)
  if (refusal) return refusal
  for (const answer of answers) {
    if ('signature' in answer) return answer
    if ('later' in answer && waitedMs < TURN_MS) return 'none'
  }
  return 'none'
}
