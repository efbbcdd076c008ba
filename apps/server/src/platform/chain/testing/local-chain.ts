import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AssetId } from '@clearwell/money/asset'
import {
  type Account,
  createTestClient,
  defineChain,
  type Hex,
  http,
  publicActions,
  type Chain as ViemChain,
} from 'viem'
import { type Config, type FileConfig, loadConfig } from '../../../load-config.ts'
import type { RunningServer } from '../../../server.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { type LocalChain, openLocalChain } from '../local-chain.ts'
import type { Deployment, DeploymentStore } from '../local-deployment.store.ts'
import { createRpcChain, createRpcClient } from '../rpc-chain.ts'
import { createSpareGasWallet } from '../spare-gas.ts'

const ON_CHAIN = ['BNB', 'USDT', 'ETH'] as const satisfies readonly AssetId[]

/** Expects the vault to hold exactly the booked amount of each asset. Ends every server test that moves money. */
export async function expectCustodyExact({ db, rpcUrl, config, custody }: RunningServer): Promise<void> {
  const chain = createRpcChain(createRpcClient(rpcUrl), config.chain.id, custody)
  const owed = await db.query<{ asset: string; units: bigint }>(
    `select asset, units from balances where account = 'vault'`,
  )
  const head = await chain.head()
  const faults: string[] = []
  for (const asset of ON_CHAIN) {
    const held = await chain.vaultHolding(asset, head.number)
    const booked = -(owed.find((row) => row.asset === asset)?.units ?? 0n)
    if (held !== booked) faults.push(`the vault holds ${held} ${asset}, the books say ${booked}`)
  }
  if (faults.length > 0) throw new Error(`custody is not exact:\n${faults.join('\n')}`)
}

/**
 * A copy of the local profile's configuration with changes, for `CONFIG_FILE`. Its prices do not move, unless a change says so:
 * the simulated market is at another price each hour, as far as 9 % from where the pools start.
 */
export async function localConfigFile(
  change: (config: FileConfig) => unknown,
): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-config-'))
  const path = join(folder, 'local.json')
  const config: FileConfig = JSON.parse(
    await readFile(join(import.meta.dirname, '../../../../config/local.json'), 'utf8'),
  )
  Object.assign(config.market, { moves: false })
  change(config)
  await writeFile(path, JSON.stringify(config))
  return { path, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Controls a running chain: acts as its miners, and as wallets that send more than our own client would. */
export function controlChain({ rpcUrl, chainId }: { rpcUrl: string; chainId: number }) {
  const chain: ViemChain = defineChain({
    id: chainId,
    name: 'local',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const client = createTestClient({ chain, mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 }).extend(publicActions)
  const request = (method: string, params: readonly unknown[]) => client.request({ method, params } as never)
  return {
    client,
    /** A wallet of this account on the chain. */
    wallet: (account: Account) => createSpareGasWallet({ account, chain, transport: http(rpcUrl) }),
    /** Waits until it is mined and returns its receipt, failed or not. */
    receipt: (hash: Hex) => client.waitForTransactionReceipt({ hash, pollingInterval: 20, checkReplacement: false }),
    mine: (blocks: number) => client.mine({ blocks }),
    async hashOf(blockNumber: bigint): Promise<Hex> {
      return (await client.getBlock({ blockNumber })).hash
    },
    /** The signed transaction as it was sent, to send it again. */
    async rawTransaction(hash: Hex): Promise<Hex> {
      return (await request('eth_getRawTransactionByHash', [hash])) as unknown as Hex
    },
    sendRaw: (serializedTransaction: Hex) => client.sendRawTransaction({ serializedTransaction }),
    snapshot: () => client.snapshot(),
    /** Removes the blocks since the snapshot. */
    revert: (id: Hex) => client.revert({ id }),
    /** Replaces the last blocks by empty ones; their transactions are forgotten. */
    async reorg(depth: number): Promise<void> {
      await request('anvil_reorg', [depth, []])
      await request('anvil_dropAllTransactions', [])
    },
    /** Deploys a contract at `address` that makes these calls in order each time it is called. */
    async putCalls(address: Hex, calls: readonly { to: Hex; data?: Hex; value?: bigint }[]): Promise<void> {
      await client.setCode({ address, bytecode: codeOf(calls) })
    },
  }
}

/** EVM code that makes calls in order; their data lies behind it. */
function codeOf(calls: readonly { to: Hex; data?: Hex; value?: bigint }[]): Hex {
  const hex = (value: number | bigint, bytes: number) => value.toString(16).padStart(bytes * 2, '0')
  const CALL_BYTES = 71
  let offset = calls.length * CALL_BYTES + 1
  let code = ''
  let behind = ''
  for (const { to, data = '0x', value = 0n } of calls) {
    const length = (data.length - 2) / 2
    // CODECOPY(0, offset, length), then CALL(gas, to, value, 0, length, 0, 0), POP.
    code += `61${hex(length, 2)}61${hex(offset, 2)}5f39`
    code += `5f5f61${hex(length, 2)}5f7f${hex(value, 32)}73${to.slice(2)}5af150`
    offset += length
    behind += data.slice(2)
  }
  return `0x${code}00${behind}`
}

/** A local chain with the vault and the tokens, and no server. */
export interface TestChain {
  readonly config: Config
  readonly anvil: Anvil
  readonly local: LocalChain
  readonly deployments: DeploymentStore
  stop(): Promise<void>
}

/** The contracts of a chain without a ledger. */
export function deploymentsInMemory(): DeploymentStore {
  let stored: Deployment | undefined
  return {
    read: async () => stored,
    async add(deployment) {
      stored ??= deployment
      return stored
    },
    async replace(deployment) {
      stored = deployment
    },
    chainUrl: async () => undefined,
    async setChainUrl() {},
  }
}

export async function startTestChain(change: (config: FileConfig) => unknown = () => {}): Promise<TestChain> {
  const file = await localConfigFile(change)
  const config = await loadConfig({ PROFILE: 'local', CONFIG_FILE: file.path })
  await file.remove()
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-chain-'))
  const anvil = await startAnvil({ folder, port: 0, chainId: config.chain.id })
  const client = createRpcClient(anvil.rpcUrl)
  const deployments = deploymentsInMemory()
  const local = await openLocalChain(config, client, anvil.rpcUrl, { deployments, isNewLedger: true })
  return {
    config,
    anvil,
    local,
    deployments,
    async stop() {
      await anvil.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
