/**
 * Rejection of a request that the rules do not allow: an expected outcome with a code, which changes nothing.
 * Any other thrown error is a bug.
 */
export class Refusal<Name extends string = string> extends Error {
  override readonly name = 'Refusal'
  readonly refusal: Name
  /** Details that help the user: a limit, a time, the invalid fields. Plain JSON. */
  readonly data: Readonly<Record<string, unknown>>

  constructor(refusal: Name, data: Readonly<Record<string, unknown>> = {}) {
    super(refusal)
    this.refusal = refusal
    this.data = data
  }
}
