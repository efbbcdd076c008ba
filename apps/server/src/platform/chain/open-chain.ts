import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '@clearwell/ledger/database'
import { readTip } from '@clearwell/ledger/reads'
import { ConfigError } from '../../config/config-error.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Report } from '../log/report.ts'
import type { Ending } from '../process/endings.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import type { Custody } from './chain.ts'
import { type LocalChain, openLocalChain } from './local-chain.ts'
import { createDeploymentStore, type DeploymentStore } from './local-deployment.store.ts'
import { hasVault } from './local-deployment.ts'
import { createRpcClient } from './rpc-chain.ts'

/** The chain saves its state when it ends. Its guard kills a chain that takes longer. */
const CHAIN_STOP_MS = 1_500

interface OpenChain {
  /** The chain's nodes; one in the local profile. */
  readonly rpcUrls: readonly string[]
  readonly custody: Custody
  readonly localChain: LocalChain | undefined
  /** False once the chain that this server started has died. */
  readonly isChainRunning: () => boolean
}

/**
 * Finds the chain's node and the custody contracts on it. In the local profile it starts a chain if none is configured, and
 * deploys missing contracts.
 *
 * @param started receives the step that stops the started chain.
 * @param startsAt the time of a new local chain's first block; now if omitted.
 * @throws ConfigError, one sentence for the operator.
 */
export async function openChain(
  config: PlatformConfig,
  db: Database,
  started: Ending[],
  onError: Report,
  startsAt?: Date,
): Promise<OpenChain> {
  const { env } = config
  if (env.profile === 'local') return openLocal(config, db, started, onError, startsAt)
  const custody = { ...configuredCustody(config), kind: env.vaultKind }
  return { rpcUrls: env.chainRpcUrls, custody, localChain: undefined, isChainRunning: () => true }
}

/** The contracts of the configuration file, outside the local profile. */
export function configuredCustody({ chain }: Pick<PlatformConfig, 'chain'>): Custody {
  const tokens = (['USDT', 'ETH'] as const).flatMap((asset) => {
    const { address, decimals } = chain.tokens[asset]
    return address === null ? [] : [{ asset, address: address as `0x${string}`, decimals }]
  })
  return {
    vault: chain.vault as `0x${string}`,
    vaultBlock: BigInt(chain.vaultBlock),
    operator: (chain.operator ?? '').toLowerCase(),
    tokens,
  }
}

async function openLocal(
  config: PlatformConfig,
  db: Database,
  started: Ending[],
  onError: Report,
  startsAt: Date | undefined,
): Promise<OpenChain> {
  const { env, chain } = config
  const folder = join(env.dataDir, 'chain')
  const deployments = createDeploymentStore(db, chain.id, folder)
  const [configured] = env.chainRpcUrls
  if (configured !== undefined) await refuseSilentNode(configured)
  let rpcUrl = configured ?? (await findSharedChain(deployments, folder))
  let anvil: Anvil | undefined
  if (rpcUrl === undefined) {
    const onEnd = (error: Error) => onError(error, 'local chain')
    anvil = await startAnvil({ folder, port: env.chainPort, chainId: chain.id, startsAt, onEnd })
    started.push({ what: 'local chain', withinMs: CHAIN_STOP_MS, end: anvil.stop })
    rpcUrl = anvil.rpcUrl
  }
  const isNewLedger = (await readTip(db)).seq === 0n
  const localChain = await openLocalChain(config, createRpcClient(rpcUrl), rpcUrl, { deployments, isNewLedger })
  if (anvil) await deployments.setChainUrl(rpcUrl)
  if (anvil?.isResumed && startsAt) await localChain.resumeAt(startsAt)
  return { rpcUrls: [rpcUrl], custody: localChain.custody, localChain, isChainRunning: () => anvil?.isRunning ?? true }
}

/** The local profile puts its contracts on the chain, so it is the only one that needs the node at its start. */
async function refuseSilentNode(rpcUrl: string): Promise<void> {
  await createRpcClient(rpcUrl, { retries: 1 })
    .getChainId()
    .catch(() => {
      throw new ConfigError(
        'The node at CHAIN_RPC_URL does not respond, and the local profile puts its contracts on it.',
      )
    })
}

/** The running chain of another server on this ledger, for a server that has never had a chain in its data folder. */
async function findSharedChain(deployments: DeploymentStore, folder: string): Promise<string | undefined> {
  if (existsSync(join(folder, 'state.json')) || existsSync(join(folder, 'anvil.pid'))) return undefined
  const [known, rpcUrl] = [await deployments.read(), await deployments.chainUrl()]
  if (!known || !rpcUrl) return undefined
  // The chain of a server that has ended does not respond.
  const isThere = await hasVault(createRpcClient(rpcUrl), known).catch(() => false)
  return isThere ? rpcUrl : undefined
}
