import type { PublicClient } from 'viem'
import { ConfigError } from '../../config/config-error.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Chain, Custody } from './chain.ts'
import { createComparedChain } from './compared-chain.ts'
import type { ObserveNode } from './node-transport.ts'
import { createRpcChain, createRpcClient } from './rpc-chain.ts'

export interface ConnectedChain {
  readonly chain: Chain
  /** The first node alone, for calls that are not about money. */
  readonly client: PublicClient
  /** The same for requests that visitors cause: sent apart from all others, so that a slow one delays none, and only once. */
  readonly visitorClient: PublicClient
}

/**
 * Connects to the configured chain: one node, or two whose responses must agree.
 *
 * @param rpcUrl the first node, in the local profile possibly a chain that this server started.
 * @param observeNode receives the outcome and the time of each request to a node.
 * @param onAlarm receives problems that fail no request, such as a node that stays behind.
 * @throws ConfigError when the first node is unreachable, or either node serves another chain.
 */
export async function connectChain(
  { env, chain: { id } }: PlatformConfig,
  {
    rpcUrl,
    custody,
    now,
    onAlarm,
    observeNode,
  }: {
    rpcUrl: string
    custody: Custody
    now: () => Date
    onAlarm: (error: Error) => void
    observeNode?: (node: 'primary' | 'check') => ObserveNode
  },
): Promise<ConnectedChain> {
  // The local chain mines a block per transaction, each at least a second later, so its time runs ahead of any clock.
  const options = env.profile === 'local' ? {} : { now }
  const observed = (node: 'primary' | 'check') => (observeNode ? { observe: observeNode(node) } : {})
  const primary = createRpcClient(rpcUrl, observed('primary'))
  const visitorClient = createRpcClient(rpcUrl, { retries: 0, ...observed('primary') })
  const primaryId = await chainIdOf(primary)
  if (primaryId === undefined) throw new ConfigError('The node at CHAIN_RPC_URL does not answer.')
  if (primaryId !== id) throw new ConfigError(`The node at CHAIN_RPC_URL is chain ${primaryId}, not ${id}.`)
  const chain = createRpcChain(primary, id, custody, options)
  if (env.chainRpcUrlCheck === undefined) return { client: primary, visitorClient, chain }

  const second = createRpcClient(env.chainRpcUrlCheck, observed('check'))
  const secondId = await chainIdOf(second)
  if (secondId === undefined) {
    // The server still starts: without the second node no deposit is credited, but everything else works.
    onAlarm(new Error('the node at CHAIN_RPC_URL_CHECK does not answer'))
  } else if (secondId !== id) {
    throw new ConfigError(`The node at CHAIN_RPC_URL_CHECK is chain ${secondId}, not ${id}.`)
  }
  const names = ['CHAIN_RPC_URL', 'CHAIN_RPC_URL_CHECK'] as const
  return {
    client: primary,
    visitorClient,
    chain: createComparedChain({
      primary: chain,
      second: createRpcChain(second, id, custody, options),
      names,
      onAlarm,
    }),
  }
}

async function chainIdOf(client: PublicClient): Promise<number | undefined> {
  return client.getChainId().catch(() => undefined)
}
