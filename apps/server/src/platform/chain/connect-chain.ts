import type { PublicClient } from 'viem'
import { ConfigError } from '../../config/config-error.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Chain, Custody } from './chain.ts'
import { createComparedChain } from './compared-chain.ts'
import { createRpcChain, createRpcClient } from './rpc-chain.ts'

export interface ConnectedChain {
  readonly chain: Chain
  /** The first node alone, for what is not about money. */
  readonly client: PublicClient
}

/**
 * The chain that the configuration names: one node, or two that must tell of it alike.
 *
 * @param rpcUrl the first node, which in the local profile may be a chain of our own.
 * @param onAlarm told of what is no error of a question, such as a node that stays behind.
 * @throws ConfigError when the first node cannot be asked, or one is of another chain.
 */
export async function connectChain(
  { env, chain: { id } }: PlatformConfig,
  {
    rpcUrl,
    custody,
    now,
    onAlarm,
  }: { rpcUrl: string; custody: Custody; now: () => Date; onAlarm: (error: Error) => void },
): Promise<ConnectedChain> {
  // The local chain makes a block per transaction, each a second later at least, so its time runs ahead of any clock.
  const options = env.profile === 'local' ? {} : { now }
  const primary = createRpcClient(rpcUrl)
  const told = await chainIdOf(primary)
  if (told === undefined) throw new ConfigError('The node at CHAIN_RPC_URL does not answer.')
  if (told !== id) throw new ConfigError(`The node at CHAIN_RPC_URL is chain ${told}, not ${id}.`)
  const chain = createRpcChain(primary, id, custody, options)
  if (env.chainRpcUrlCheck === undefined) return { client: primary, chain }

  const second = createRpcClient(env.chainRpcUrlCheck)
  const toldBySecond = await chainIdOf(second)
  if (toldBySecond === undefined) {
    // People may come in and read meanwhile: without the second node nothing is credited, and that is all.
    onAlarm(new Error('the node at CHAIN_RPC_URL_CHECK does not answer'))
  } else if (toldBySecond !== id) {
    throw new ConfigError(`The node at CHAIN_RPC_URL_CHECK is chain ${toldBySecond}, not ${id}.`)
  }
  const names = ['CHAIN_RPC_URL', 'CHAIN_RPC_URL_CHECK'] as const
  return {
    client: primary,
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
