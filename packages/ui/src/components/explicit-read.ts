import { showError } from './toast-store.ts'

/**
 * Reads again on the user's request, such as Try again. A failure shows in a dialog, as for every command: in the place
 * of the data it already showed.
 *
 * @param read a query's `refetch`, or another function that returns or throws; never fails itself.
 */
export async function explicitRead(read: () => unknown): Promise<void> {
  try {
    const result = await read()
    if (isFailed(result)) showError(result.error)
  } catch (error) {
    showError(error)
  }
}

/** Returns whether a `refetch` failed. It resolves with the error instead of throwing. */
function isFailed(result: unknown): result is { error: unknown } {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true
}
