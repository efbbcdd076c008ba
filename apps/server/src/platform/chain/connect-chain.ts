import type { PublicClient } from 'viem'
import { ConfigError } from '../../config/config-error.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Chain, Custody } from './chain.ts'
import { createChainNodes } from './chain-nodes.ts'
import { createComparedChain } from './compared-chain.ts'
import type { ObserveNode } from './node-transport.ts'
import { createRpcChain } from './rpc-chain.ts'

export interface ConnectedChain {
  readonly chain: Chain
  /** The nodes of `CHAIN_RPC_URL` alone, for calls that are not about money. */
  readonly client: PublicClient
  /** The same for requests that visitors cause: sent apart from all others, so that a slow one delays none, and only once. */
  readonly visitorClient: PublicClient
  /** False if no node of `CHAIN_RPC_URL` answered. One that answers later is asked for its chain before anything else. */
  readonly isAnswering: boolean
}

/** The name of a node in the metrics. */
export type NodeLabel = 'primary' | `primary ${number}` | 'check'

/**
 * Connects to the configured chain: the first node of `CHAIN_RPC_URL` that works, compared with a second opinion if there is one.
 *
 * @param rpcUrls the nodes, in the local profile possibly a chain that this server started.
 * @param observeNode receives the outcome and the time of each request to a node.
 * @param onAlarm receives problems that fail no request, such as a node that does not answer.
 * @throws ConfigError when a node serves another chain.
 */
export async function connectChain(
  { env, chain: { id } }: PlatformConfig,
  {
    rpcUrls,
    custody,
    now,
    onAlarm,
    observeNode,
  }: {
    rpcUrls: readonly string[]
    custody: Custody
    now: () => Date
    onAlarm: (error: Error) => void
    observeNode?: (node: NodeLabel) => ObserveNode
  },
): Promise<ConnectedChain> {
  // The local chain mines a block per transaction, each at least a second later, so its time runs ahead of any clock.
  const hasExits = env.vaultKind === 'exits'
  const options = env.profile === 'local' ? { hasExits } : { now, hasExits }
  const nodeOf = (url: string, index: number) => ({
    url,
    name: rpcUrls.length === 1 ? 'CHAIN_RPC_URL' : `CHAIN_RPC_URL (node ${index + 1} of ${rpcUrls.length})`,
    observe: observeNode?.(index === 0 ? 'primary' : `primary ${index + 1}`),
  })
  const nodes = createChainNodes(rpcUrls.map(nodeOf), { chainId: id, onAlarm })
  const checkUrl = env.chainRpcUrlCheck
  const checkNode = checkUrl && { url: checkUrl, name: 'CHAIN_RPC_URL_CHECK', observe: observeNode?.('check') }
  const checkNodes = checkNode ? createChainNodes([checkNode], { chainId: id, onAlarm }) : undefined

  const found = await Promise.all([nodes.chainIds(), checkNodes?.chainIds() ?? []])
  for (const { name, chainId } of found.flat()) {
    // The server still starts. Until the node answers, what needs it does not work.
    if (chainId === undefined) onAlarm(new Error(`the node at ${name} does not respond`))
    else if (chainId !== id) throw new ConfigError(`The node at ${name} is chain ${chainId}, not ${id}.`)
  }
  const client = nodes.client()
  const chain = createRpcChain(client, id, custody, options)
  const connected = {
    client,
    visitorClient: nodes.client({ retries: 0 }),
    isAnswering: found[0].some(({ chainId }) => chainId !== undefined),
  }
  if (!checkNodes) return { ...connected, chain }
  const second = createRpcChain(checkNodes.client(), id, custody, options)
  const names = ['CHAIN_RPC_URL', 'CHAIN_RPC_URL_CHECK'] as const
  return { ...connected, chain: createComparedChain({ primary: chain, second, names, onAlarm }) }
}
