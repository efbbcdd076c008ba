import { showError } from './toast-store.ts'

/**
 * Reads again because the user asked for it, such as with Try again: a failure answers in a dialog, as it does for
 * every command, and not only in the place of the data, where it already stood.
 *
 * @param read a query's `refetch`, or anything else that answers or throws; never fails itself.
 */
export async function explicitRead(read: () => unknown): Promise<void> {
  try {
    const result = await read()
    if (isFailed(result)) showError(result.error)
  } catch (error) {
    showError(error)
  }
}

/** What a query's `refetch` resolves with: it does not throw. */
function isFailed(result: unknown): result is { error: unknown } {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true
}
