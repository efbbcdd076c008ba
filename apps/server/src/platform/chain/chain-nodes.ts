import { createPublicClient, fallback, type PublicClient, type Transport } from 'viem'
import { isNodeAway, NodeError, nodeErrorOf } from './node-error.ts'
import { nodeTransport, type ObserveNode, RETRIES, RETRY_DELAY_MS } from './node-transport.ts'

/** A node that failed is looked at again at most this often, while another one responds. */
const LOOK_MS = 10_000

interface ChainNode {
  /** The name in messages to the operator. Never the address, which may hold a key. */
  readonly name: string
  readonly url: string
  readonly observe?: ObserveNode | undefined
}

/** Nodes of one chain. The first one that works responds. */
interface ChainNodes {
  /** Creates a client with separate batches: its slow requests delay no other client. */
  client(options?: { readonly retries?: number }): PublicClient
  /** Asks each node for the number of its chain; `undefined` for a node that does not answer. */
  chainIds(): Promise<{ readonly name: string; readonly chainId: number | undefined }[]>
}

/**
 * Connects to nodes by viem's `fallback`. A node is asked nothing before it has named the right chain.
 *
 * A node that fails is not asked again until it has named its chain in the background, so that a silent one costs one request
 * its time limit and not every request. viem's ranking would do that too, but never stops.
 *
 * @param onAlarm receives the failure of a node while others remain.
 */
export function createChainNodes(
  nodes: readonly ChainNode[],
  {
    chainId,
    onAlarm,
    lookMs = LOOK_MS,
  }: { readonly chainId: number; readonly onAlarm: (error: Error) => void; readonly lookMs?: number },
): ChainNodes {
  const failsTogether = nodes.length > 1
  const states = nodes.map(({ name }) =>
    createNodeState({ chainId, lookMs }, (error) => {
      if (failsTogether) onAlarm(new NodeError(`${name} is not used while another node works: ${error.message}`, error))
    }),
  )
  return {
    client({ retries = RETRIES } = {}) {
      const transports = nodes.map(({ url, observe }, index) => {
        const inner = nodeTransport(url, { retries: 0, failsTogether, ...(observe ? { observe } : {}) })
        const state = states[index] as NodeState
        return guarded(inner, state, () => states.some((each) => each !== state && !each.isAway))
      })
      const shouldThrow = (error: Error) => {
        const found = nodeErrorOf(error)
        return !found || !isNodeAway(found)
      }
      const transport = fallback(transports, { retryCount: retries, retryDelay: RETRY_DELAY_MS, shouldThrow })
      return createPublicClient({ transport, cacheTime: 0 })
    },
    chainIds: () => Promise.all(nodes.map(async ({ name, url }) => ({ name, chainId: await chainIdOf(url) }))),
  }
}

async function chainIdOf(url: string): Promise<number | undefined> {
  const client = createPublicClient({ transport: nodeTransport(url, { retries: 0 }), cacheTime: 0 })
  return client.getChainId().catch(() => undefined)
}

/** Sends one request to a node. */
type Ask = (question: { readonly method: string; readonly params?: unknown }) => Promise<unknown>

type NodeState = ReturnType<typeof createNodeState>

/** The state of a node, shared by all clients. */
function createNodeState(
  { chainId, lookMs }: { chainId: number; lookMs: number },
  onFailure: (error: NodeError) => void,
) {
  let failure: unknown
  let isOfChain = false
  let looking: Promise<void> | undefined
  let lookedMs = Number.NEGATIVE_INFINITY

  async function look(ask: Ask): Promise<void> {
    lookedMs = performance.now()
    const found = Number(await ask({ method: 'eth_chainId' }))
    isOfChain = found === chainId
    if (!isOfChain) throw new NodeError(`the node serves chain ${found}, not ${chainId}`, { isOtherChain: true })
    failure = undefined
  }
  const state = {
    /** The node has failed, and has not answered since. */
    get isAway() {
      return failure !== undefined
    },
    get failure() {
      return failure
    },
    note(error: unknown): void {
      const found = nodeErrorOf(error)
      if (!found || !isNodeAway(found)) return
      if (failure === undefined) onFailure(found)
      failure = error
    },
    responded(): void {
      failure = undefined
    },
    /** Resolves once the node has named the right chain. */
    async checked(ask: Ask): Promise<void> {
      if (isOfChain) return
      looking ??= look(ask).finally(() => {
        looking = undefined
      })
      return looking
    },
    /** Asks a node that has failed in the background, not too often. */
    lookAgain(ask: Ask): void {
      if (looking || performance.now() - lookedMs < lookMs) return
      isOfChain = false
      void state.checked(ask).catch(() => {})
    },
  }
  return state
}

/** @param hasOther whether another node may respond instead. */
function guarded(inner: Transport, state: NodeState, hasOther: () => boolean): Transport {
  return (options) => {
    const node = inner(options)
    const ask = node.request as unknown as Ask
    const request: Ask = async (question) => {
      if (state.isAway && hasOther()) {
        state.lookAgain(ask)
        throw state.failure
      }
      try {
        await state.checked(ask)
        const response = await ask(question)
        state.responded()
        return response
      } catch (error) {
        state.note(error)
        throw error
      }
    }
    return { ...node, request: request as never }
  }
}
