import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import type { AbiFunction, PublicClient } from 'viem'
import type { Config } from '../load-config.ts'
import type { Custody } from '../platform/chain/chain.ts'
import { refuseMissingVault, refuseWrongTokens } from '../platform/chain/check-tokens.ts'
import { refuseOtherKind, refuseUnfitTokens } from '../platform/chain/check-vault-kind.ts'
import { connectChain } from '../platform/chain/connect-chain.ts'
import { configuredCustody } from '../platform/chain/open-chain.ts'
import { refuseCapsAboveVault, signerAccount, signerAssets } from '../platform/signer/open-signer.ts'
import { exitPauseFaults, exitRoleFaults, exitRootNotes } from './check-exit-vault.ts'
import { type Check, faultsOf } from './check-result.ts'

/** A chain of BNB has a block every few seconds. An older head is that of a node which lags. */
const MAX_HEAD_AGE_MS = 60_000

/** Checks the nodes, and the vault and its tokens by the first node. A local chain begins with its server. */
export async function checkChain(config: Config): Promise<Check[]> {
  if (config.env.profile === 'local') return []
  const custody = { ...configuredCustody(config), kind: config.env.vaultKind }
  const silent: string[] = []
  let client: PublicClient | undefined
  const nodes = await faultsOf(async () => {
    const { chainRpcUrls: rpcUrls } = config.env
    const onAlarm = ({ message }: Error) => silent.push(message)
    const connected = await connectChain(config, { rpcUrls, custody, now: () => new Date(), onAlarm })
    if (!connected.isAnswering) return silent
    client = connected.client
    const { timestamp } = await client.getBlock()
    const ageMs = Date.now() - Number(timestamp) * 1_000
    return [...silent, ...headFaults(ageMs)]
  })
  if (!client) return [{ name: 'nodes', faults: nodes }]
  return [{ name: 'nodes', faults: nodes }, ...(await checkContracts(config, custody, client))]
}

/** A head in the future shows that the clock of this machine is behind. */
function headFaults(ageMs: number): string[] {
  const seconds = Math.round(Math.abs(ageMs) / 1_000)
  if (ageMs > MAX_HEAD_AGE_MS) return [`the newest block is ${seconds} s old`]
  return ageMs < -MAX_HEAD_AGE_MS ? [`the newest block is ${seconds} s ahead of the clock of this machine`] : []
}

async function checkContracts(config: Config, custody: Custody, client: PublicClient): Promise<Check[]> {
  const { vault, kind } = custody
  const hasExits = kind === 'exits'
  const assets = signerAssets(config, custody)
  const checks = await Promise.all(
    [
      { name: 'vault', run: () => checkVault(client, custody) },
      {
        name: 'roles',
        run: () => (hasExits ? exitRoleFaults(client, custody, config) : roleFaults(client, vault, config)),
      },
      { name: 'caps', run: () => refuseCapsAboveVault(client, custody, assets).then(() => []) },
      { name: 'tokens', run: () => refuseWrongTokens(client, custody).then(() => []) },
    ].map(async ({ name, run }) => ({ name, faults: await faultsOf(run) })),
  )
  return hasExits ? [...checks, await checkRoots(config, custody, client)] : checks
}

async function checkRoots(config: Config, custody: Custody, client: PublicClient): Promise<Check> {
  let notes: readonly string[] = []
  const faults = await faultsOf(async () => {
    notes = await exitRootNotes(client, custody, config)
    return []
  })
  return { name: 'roots', faults, notes }
}

async function checkVault(client: PublicClient, custody: Custody): Promise<string[]> {
  await refuseMissingVault(client, custody)
  await refuseOtherKind(client, custody)
  refuseUnfitTokens(custody)
  return custody.kind === 'exits' ? exitPauseFaults(client, custody) : pauseFaults(client, custody.vault)
}

async function pauseFaults(client: PublicClient, vault: `0x${string}`): Promise<string[]> {
  const isPaused = await client.readContract({ address: vault, abi: clearwellVaultAbi, functionName: 'paused' })
  return isPaused ? [`the vault ${vault} is paused: it takes and pays nothing`] : []
}

/** Every function of the interface that returns one account is a role. */
const ROLES = (clearwellVaultAbi as readonly { readonly type: string }[]).filter(
  (each): each is AbiFunction =>
    each.type === 'function' &&
    (each as AbiFunction).inputs.length === 0 &&
    (each as AbiFunction).outputs.length === 1 &&
    (each as AbiFunction).outputs[0]?.type === 'address',
)

/** Compares the signer with the key of this server. The keys of all other roles must be elsewhere. */
async function roleFaults(client: PublicClient, vault: `0x${string}`, config: Config): Promise<string[]> {
  const own = signerAccount(config).address
  const needsMultisig = config.env.profile === 'production'
  const faults: string[] = []
  for (const role of ROLES) {
    const holder = (await client.readContract({ address: vault, abi: [role], functionName: role.name })) as string
    const isOwn = holder.toLowerCase() === own.toLowerCase()
    if (role.name === 'signer' && !isOwn)
      faults.push(`the vault accepts vouchers of ${holder}, and SIGNER_KEY is of ${own}`)
    if (role.name !== 'signer' && isOwn) faults.push(`SIGNER_KEY is also the ${role.name} of the vault`)
    if (role.name === 'owner' && needsMultisig && !(await client.getCode({ address: holder as `0x${string}` })))
      faults.push(`the owner ${holder} is a single key and no multisig: its thief can replace the signer`)
  }
  return faults
}
