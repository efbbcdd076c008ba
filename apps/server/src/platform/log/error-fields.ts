const MAX_TEXT = 4_000
const MAX_DEPTH = 4
const MAX_ERRORS = 5

/** The fields of an error in a log line. */
export interface ErrorFields {
  readonly type: string
  readonly message: string
  readonly stack?: string
  readonly code?: string | number
  readonly cause?: ErrorFields
  /** Of an error with several causes. */
  readonly errors?: readonly ErrorFields[]
}

/**
 * Selects the fields of an error that belong in the log. Others are dropped: drivers attach whole requests and connections
 * to their errors.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: cut(String(error)) }
  const { name, message, stack, cause } = error
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  const isDeep = depth >= MAX_DEPTH
  return {
    type: name,
    message: cut(message),
    ...(stack === undefined ? {} : { stack: cut(stack) }),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(cause === undefined || isDeep ? {} : { cause: errorFields(cause, depth + 1) }),
    ...(Array.isArray(errors) && !isDeep
      ? { errors: errors.slice(0, MAX_ERRORS).map((each) => errorFields(each, depth + 1)) }
      : {}),
  }
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}
