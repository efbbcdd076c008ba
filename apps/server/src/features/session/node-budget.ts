import { MINUTE_MS } from '@clearwell/rules/spans'
import { TooManyRequests } from '../../platform/http/too-many-requests.ts'
import { TokenBuckets } from '../../platform/time/token-buckets.ts'

/** The key of the bucket that all clients share. */
const ALL = ''

/** Bounds how often sign-ins ask the chain's node, which strangers can cause. */
export interface NodeBudget {
  /**
   * Counts one request to the node.
   *
   * @throws TooManyRequests before the request, when this client or all clients together have made too many.
   */
  spend(clientAddress: string): void
}

/** Requests per minute. The budget is per client, not per wallet: a stranger could use up a wallet's. */
export function createNodeBudget({
  perAddress,
  inAll,
  nowMs,
}: {
  readonly perAddress: number
  readonly inAll: number
  readonly nowMs?: () => number
}): NodeBudget {
  const clock = nowMs === undefined ? {} : { nowMs }
  const clients = new TokenBuckets({ capacity: perAddress, refillMs: MINUTE_MS, ...clock })
  const all = new TokenBuckets({ capacity: inAll, refillMs: MINUTE_MS, maxKeys: 1, ...clock })
  return {
    spend(clientAddress) {
      const own = clients.take(clientAddress)
      if (!own.isTaken) throw new TooManyRequests({ reason: 'node_budget_of_address', waitMs: own.waitMs })
      const shared = all.take(ALL)
      if (shared.isTaken) return
      clients.giveBack(clientAddress)
      throw new TooManyRequests({ reason: 'node_budget', waitMs: shared.waitMs })
    },
  }
}
