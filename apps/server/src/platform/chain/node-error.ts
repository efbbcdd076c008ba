/**
 * A node's error response, or the lack of a response.
 *
 * The message never contains the node's address, which may hold a key.
 */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  /** The JSON-RPC code, if the node sent one. */
  readonly code: number | undefined
  /** The HTTP status, unless it was 200. */
  readonly status: number | undefined
  /** The `Retry-After` header that came with the status. */
  readonly retryAfter: string | undefined
  /** The response was longer than this server reads. */
  readonly isTooLong: boolean
  /** The node did not respond in time. */
  readonly isTimeout: boolean
  /** The connection failed before a response. */
  readonly isNoResponse: boolean
  /** The node serves another chain. */
  readonly isOtherChain: boolean
  /** The bytes of a contract's refusal, under the name by which viem looks for them. Absent for any other error. */
  declare readonly data?: `0x${string}`

  constructor(
    message: string,
    {
      code,
      status,
      retryAfter,
      isTooLong = false,
      isTimeout = false,
      isNoResponse = false,
      isOtherChain = false,
      data,
    }: Partial<Omit<NodeError, keyof Error | 'data'>> & { readonly data?: `0x${string}` | undefined } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
    this.isTooLong = isTooLong
    this.isTimeout = isTimeout
    this.isNoResponse = isNoResponse
    this.isOtherChain = isOtherChain
    if (data !== undefined) this.data = data
  }
}

/** HTTP statuses of a node that works and rejects this one request. */
const STATUSES_OF_REQUEST: readonly (number | undefined)[] = [undefined, 400, 413]

/** True if another node may respond: this one sent nothing, serves another chain, or rejects every request (an outage, a quota, a key). */
export function isNodeAway({ isNoResponse, isTimeout, isOtherChain, status }: NodeError): boolean {
  return isNoResponse || isTimeout || isOtherChain || !STATUSES_OF_REQUEST.includes(status)
}

/** Finds the node's own error inside viem's. */
export function nodeErrorOf(error: unknown): NodeError | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof NodeError) return each
  return undefined
}
