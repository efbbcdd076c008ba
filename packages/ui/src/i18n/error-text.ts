import { m } from '../generated/messages.ts'

/**
 * An error as a sentence for users: the server's message, or that the server failed or could not be reached. Anything else is a bug
 * of ours, and its message would not help them.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return m.app_something_went_wrong()
  if (error.name === 'ApiError') return error.message === '' ? m.app_failed() : error.message
  if (error.name === 'NoResponseError') return isServerFault(error) ? m.app_server_fault() : m.app_no_response()
  return m.app_something_went_wrong()
}

/** Something came back, so the user's connection works: a server, or a proxy before it, is at fault. */
function isServerFault(error: Error): boolean {
  return 'status' in error && typeof error.status === 'number' && error.status >= 500
}
