/** Errors of a request that brought no response. */
const NO_RESPONSE = /^(HttpRequestError|TimeoutError|WebSocketRequestError)$/

/** Returns whether an error is of a response without data, or with data that is no value of the contract. */
export function isEmpty(error: unknown): boolean {
  const names: string[] = []
  for (let each = error; each; each = (each as { cause?: unknown }).cause) names.push((each as Error).name)
  return !names.some((name) => NO_RESPONSE.test(name))
}
