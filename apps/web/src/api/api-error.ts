import { codeNames, type KnownCodeName } from '../generated/code-names.ts'

/** The server refused: the envelope carried a code other than 1. `msg` is a sentence in the user's language. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, msg: string, data: unknown) {
    super(msg)
    this.code = code
    this.data = data
  }

  /** The name that the table of codes gives it, such as `balance_not_enough`; `undefined` where its message says all. */
  get codeName(): KnownCodeName | undefined {
    return codeNames[this.code]
  }

  /** True if the same request may succeed later. A refused request never does. */
  get isTransient(): boolean {
    return this.code === 42900 || this.code >= 50000
  }
}

/**
 * Returns whether the server refused for good: the outcome is certain, no money moved, and the same request never
 * succeeds. A lost session is not final, because the request may be sent again.
 */
export function isFinalRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && !error.isTransient && error.codeName !== 'sign_in_again'
}

/** No envelope came back: offline, timed out, or something between here and the server. The outcome is unknown. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
  /** The body that came instead: parsed JSON or text; `null` without a body. */
  readonly body: unknown
  /** The HTTP status that came without an envelope. */
  readonly status: number | undefined

  constructor(
    message: string,
    { body = null, status, cause }: { body?: unknown; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.body = body
    this.status = status
  }
}

/** A command got no response, and the user went on before its outcome was known. It is stored, and looked up later. */
export class UnknownOutcomeError extends NoResponseError {
  constructor() {
    super('the outcome of a command is not known')
  }
}
