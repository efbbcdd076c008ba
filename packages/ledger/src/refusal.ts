/**
 * A user's request that the rules do not allow: an expected outcome, answered with a code, changing nothing.
 * Everything else that is thrown is a bug.
 */
export class Refusal<Name extends string = string> extends Error {
  override readonly name = 'Refusal'
  readonly refusal: Name
  /** What helps the user: a limit, a time, the fields at fault. Plain JSON. */
  readonly data: Readonly<Record<string, unknown>>

  constructor(refusal: Name, data: Readonly<Record<string, unknown>> = {}) {
    super(refusal)
    this.refusal = refusal
    this.data = data
  }
}
