import { ChainFault } from './chain-fault.ts'
import { type NodeError, nodeErrorOf } from './node-error.ts'

/** The blocks that one request covers at first, and at most. */
const MAX_SPAN = 2_000n
/** Successful requests in a row after which the next one covers more blocks again. */
const GROW_AFTER = 10

export interface BlockRange {
  readonly from: bigint
  readonly to: bigint
}

/**
 * Reads a range in pieces that the node accepts: half as many blocks when it rejects a response as too large, gradually
 * more later. Returns the pieces in order; together they always cover the whole range.
 *
 * @throws ChainFault `too_large` when the node rejects even a single block.
 */
export function createRangeReader<Result>(
  ask: (range: BlockRange) => Promise<Result>,
): (range: BlockRange) => Promise<Result[]> {
  let span = MAX_SPAN
  let successes = 0

  function shrink(blocks: bigint): void {
    span = blocks > 1n ? blocks / 2n : 1n
    successes = 0
  }

  return async ({ from, to }) => {
    const responses: Result[] = []
    for (let next = from; next <= to; ) {
      const last = next + span - 1n < to ? next + span - 1n : to
      const blocks = last - next + 1n
      try {
        responses.push(await ask({ from: next, to: last }))
      } catch (error) {
        const nodeError = nodeErrorOf(error)
        // A timeout is not retried here: the next pass requests smaller pieces.
        if (nodeError?.isTimeout) shrink(blocks)
        if (!nodeError || !isRangeTooLarge(nodeError)) throw error
        if (blocks === 1n) {
          throw new ChainFault('too_large', `the logs of block ${next} alone are too large: ${nodeError.message}`)
        }
        shrink(blocks)
        continue
      }
      next = last + 1n
      if (span < MAX_SPAN && ++successes >= GROW_AFTER) {
        successes = 0
        span = span + span / 4n + 1n < MAX_SPAN ? span + span / 4n + 1n : MAX_SPAN
      }
    }
    return responses
  }
}

/** The node rejects the rate of requests, so smaller ranges would make it worse. */
const IS_BUSY =
  /rate.?limit|too many requests|requests? per|request count|per second|capacity|credit|quota|compute unit|throughput/i
/** The range lies outside the node's blocks. */
const IS_ELSEWHERE = /beyond|future|unknown block|not found|invalid block range|pruned|missing trie|archive/i
const IS_TOO_MUCH =
  /range|too large|too big|too wide|too many (?:blocks|logs|results)|response size|max(?:imum)? results|more than [\d,]+ (?:results|logs)|exceeds? limit|limit exceeded|limited to|blocks? distance|time(?:d |)?out|took too long/i

/**
 * True if a node rejected a request for logs because its range is too large.
 *
 * There is no standard error. Messages: Infura `query returned more than 10000 results` (-32005) and `range 1000000
 * exceeds limit of 10000` (-32602), Alchemy `Log response size exceeded … this block range should work: […]` (-32602,
 * -32600), QuickNode `eth_getLogs is limited to a 10,000 range` (-32614), Ankr `block range is too wide` (-32600) and
 * `query exceeds max results 20000`, BSC's own nodes `exceed maximum block range: 5000` (-32000) and `limit exceeded`
 * (-32005), PublicNode `maximum block range: 2000`, Chainstack `Block range limit exceeded.`, proxies HTTP 413.
 */
export function isRangeTooLarge({ code, status, isTooLong, isTimeout, message }: NodeError): boolean {
  if (isTooLong || status === 413) return true
  if (isTimeout || status === 429 || IS_BUSY.test(message) || IS_ELSEWHERE.test(message)) return false
  return code === -32005 || (code !== undefined && IS_TOO_MUCH.test(message))
}
