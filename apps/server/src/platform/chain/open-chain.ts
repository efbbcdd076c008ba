import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@clearwell/ledger/database'
import { readTip } from '@clearwell/ledger/reads'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Ending } from '../process/endings.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import type { Custody } from './chain.ts'
import { type LocalChain, openLocalChain } from './local-chain.ts'
import { createRpcClient } from './rpc-chain.ts'

/** The chain saves its state when it ends. Its guard kills a chain that takes longer. */
const CHAIN_STOP_MS = 1_500

/**
 * Finds the chain's node and the custody contracts on it. In the local profile it starts a chain if none is configured, and
 * deploys missing contracts.
 *
 * @param started receives the step that stops what was started.
 * @throws ConfigError, one sentence for the operator.
 */
export async function openChain(
  config: PlatformConfig,
  db: Database,
  started: Ending[],
  onError: (error: unknown, doing: string) => void,
): Promise<{
  rpcUrl: string
  custody: Custody
  localChain: LocalChain | undefined
  /** False once the chain that this server started has died. */
  isChainRunning: () => boolean
}> {
  const { env, chain } = config
  const folder = join(env.dataDir, 'chain')
  let rpcUrl = env.chainRpcUrl
  let anvil: Anvil | undefined
  const isChainRunning = () => anvil?.isRunning ?? true
  if (rpcUrl === undefined) {
    const onEnd = (error: Error) => onError(error, 'local chain')
    anvil = await startAnvil({ folder, port: env.chainPort, chainId: chain.id, onEnd })
    started.push({ what: 'local chain', withinMs: CHAIN_STOP_MS, end: anvil.stop })
    rpcUrl = anvil.rpcUrl
  }
  if (env.profile === 'local') {
    await mkdir(folder, { recursive: true })
    const isNewLedger = (await readTip(db)).seq === 0n
    const localChain = await openLocalChain(config, createRpcClient(rpcUrl), rpcUrl, { folder, isNewLedger })
    return { rpcUrl, custody: localChain.custody, localChain, isChainRunning }
  }
  const tokens = (['USDT', 'ETH'] as const).flatMap((asset) => {
    const { address, decimals } = chain.tokens[asset]
    return address === null ? [] : [{ asset, address: address as `0x${string}`, decimals }]
  })
  const custody = {
    vault: chain.vault as `0x${string}`,
    vaultBlock: BigInt(chain.vaultBlock),
    operator: (chain.operator ?? '').toLowerCase(),
    tokens,
  }
  return { rpcUrl, custody, localChain: undefined, isChainRunning }
}
