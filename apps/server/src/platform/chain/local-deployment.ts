import { clearwellVaultAbi, clearwellVaultBytecode } from '@clearwell/vault/abi/clearwell-vault'
import { testTokenAbi, testTokenBytecode } from '@clearwell/vault/abi/test-token'
import { type Abi, type PublicClient, parseUnits, zeroAddress } from 'viem'
import { ConfigError } from '../../config/config-error.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { type DeployedContract, deployContract, type LimitedAsset } from './local-contract.ts'
import type { Deployment, DeploymentStore } from './local-deployment.store.ts'
import { deployExitVault } from './local-exits.ts'
import type { LocalWallets } from './local-wallets.ts'

/** Test tokens minted for the operator, who funds the pools with a real deposit, and for the faucet. */
const MINTED = '1000000000'

/** The local vault's withdrawal limits for each asset. */
const VAULT_LIMITS = { perVoucher: '1000000', perDay: '10000000' } as const

/**
 * Finds the vault and the test tokens on the local chain, or deploys them once.
 *
 * @param isNewLedger true if the ledger is empty.
 * @throws ConfigError for a ledger with entries and a chain without its vault.
 */
export async function findOrDeploy(
  config: PlatformConfig,
  client: PublicClient,
  wallets: LocalWallets,
  { deployments, isNewLedger }: { deployments: DeploymentStore; isNewLedger: boolean },
): Promise<Deployment> {
  const known = await deployments.read()
  if (known && (await hasVault(client, known))) return known
  if (!isNewLedger) {
    throw new ConfigError(
      'The ledger has entries, but the local chain has no vault: the two do not belong together. Give back the chain state, or set DATA_DIR to an empty folder.',
    )
  }
  const deployed = await deploy(config, client, wallets)
  if (!known) return deployments.add(deployed)
  await deployments.replace(deployed)
  return deployed
}

/** True if the chain has the vault of this deployment. */
export async function hasVault(client: PublicClient, { vault }: Deployment): Promise<boolean> {
  const code = await client.getCode({ address: vault })
  return code !== undefined && code !== '0x'
}

async function deploy(config: PlatformConfig, client: PublicClient, wallets: LocalWallets): Promise<Deployment> {
  const { operator, addressOf } = wallets
  const owner = operator.account.address
  const plain = config.env.vaultKind === 'exits' ? undefined : await deployPlainVault(wallets)
  const token = async (symbol: 'USDT' | 'ETH') => {
    const { name, decimals } = config.chain.tokens[symbol]
    const args = [name, symbol, decimals, owner]
    const { address } = await deployContract(wallets, testTokenAbi as Abi, testTokenBytecode, args)
    return { address, decimals }
  }
  const usdt = await token('USDT')
  const eth = await token('ETH')
  for (const { address, decimals } of [usdt, eth]) {
    for (const to of [owner, addressOf('faucet')]) {
      const args = [to, parseUnits(MINTED, decimals)] as const
      await wallets.confirm(operator.writeContract({ address, abi: testTokenAbi, functionName: 'mint', args }))
    }
  }
  const native = { address: zeroAddress, decimals: config.chain.native.decimals }
  const assets = [native, usdt, eth].map(({ address, decimals }) => ({
    token: address,
    perVoucher: parseUnits(VAULT_LIMITS.perVoucher, decimals),
    perDay: parseUnits(VAULT_LIMITS.perDay, decimals),
  }))
  if (plain) await setLimits(wallets, plain.address, assets)
  const vault = plain ?? (await deployExitVault(config, client, wallets, assets))
  return { vault: vault.address, vaultBlock: vault.block.toString(), USDT: usdt.address, ETH: eth.address }
}

function deployPlainVault(wallets: LocalWallets): Promise<DeployedContract> {
  const { operator, addressOf } = wallets
  const roles = [operator.account.address, addressOf('signer'), addressOf('guardian')]
  return deployContract(wallets, clearwellVaultAbi as Abi, clearwellVaultBytecode, roles)
}

/** The vault rejects deposits and withdrawals of an asset without limits. */
async function setLimits(
  { operator, confirm }: LocalWallets,
  vault: `0x${string}`,
  assets: readonly LimitedAsset[],
): Promise<void> {
  for (const { token, perVoucher, perDay } of assets) {
    const args = [token, perVoucher, perDay] as const
    const call = { address: vault, abi: clearwellVaultAbi, functionName: 'setLimits', args } as const
    await confirm(operator.writeContract(call))
  }
}
