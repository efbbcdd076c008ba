import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { nativeAsset } from '@clearwell/vault/abi/withdrawal-typed-data'
import type { PublicClient } from 'viem'
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts'
import { ConfigError } from '../../config/config-error.ts'
import { configUnits } from '../../config/fields.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Custody } from '../chain/chain.ts'
import { localSignerAccount } from '../chain/local-wallets.ts'
import { isNodeAway, nodeErrorOf } from '../chain/node-error.ts'
import { createKeysFinder } from '../chain/vault-reads.ts'
import { unitOf } from '../custody/deposit-desk.ts'
import type { Rules } from '../rules/ruled.ts'
import { CAP_RULES, type CapAsset, lowerCaps } from './cap-rules.ts'
import { rootAccount } from './proof-keys.ts'
import type { SignerAsset } from './signer.ts'
import type { RootKeys } from './voucher-root.ts'

/** Returns the account that signs vouchers: from `SIGNER_KEY`, or the one of every local chain. */
export function signerAccount({ env }: Pick<PlatformConfig, 'env'>): LocalAccount {
  return env.signerKey === undefined ? localSignerAccount() : privateKeyToAccount(env.signerKey)
}

/** Returns the accounts that sign a root: the server's own key and those of the bookkeepers. @throws ConfigError without a bookkeeper. */
export function rootKeys(config: Pick<PlatformConfig, 'env'>): RootKeys {
  const { bookkeepers } = config.env
  if (bookkeepers.length === 0) throw new ConfigError('BOOKKEEPER_URL must be set with VAULT_KIND=exits.')
  return { rootKey: rootAccount(config).address.toLowerCase(), bookkeepers: bookkeepers.map(({ address }) => address) }
}

/** Lists the custody's assets with their configured caps. */
export function signerAssets(
  { withdrawals }: { readonly withdrawals: Pick<PlatformConfig['withdrawals'], 'caps'> },
  { tokens }: Custody,
): SignerAsset[] {
  const listed = [{ asset: 'BNB' as const, address: nativeAsset }, ...tokens] as const
  return listed.flatMap(({ asset, address: token }) => {
    if (asset === 'RT') return []
    const caps = withdrawals.caps[asset]
    const unit = unitOf({ tokens }, asset)
    // Rounded down: fractions of the token's own unit cannot be paid anyway.
    const units = (text: string) => configUnits(text, asset) / unit
    return {
      asset,
      token,
      unit,
      perVoucher: units(caps.perVoucher),
      perAccountPerDay: units(caps.perAccountPerDay),
      perDay: units(caps.perDay),
    }
  })
}

/** Lists the same with the caps in force: the announced ones, below the ceiling of the configuration file. */
export async function signerAssetsInForce(
  { withdrawals: { caps } }: Pick<PlatformConfig, 'withdrawals'>,
  rules: Rules<PlatformConfig>,
  custody: Custody,
): Promise<SignerAsset[]> {
  const inForce = async (asset: CapAsset) => lowerCaps(caps[asset], await rules.of(CAP_RULES[asset]).now())
  const [BNB, USDT, ETH] = await Promise.all([inForce('BNB'), inForce('USDT'), inForce('ETH')])
  return signerAssets({ withdrawals: { caps: { BNB, USDT, ETH } } }, custody)
}

/**
 * Refuses caps above the vault's limits: the signer would sign vouchers that the vault rejects. If the vault cannot be read
 * although its node answers, nothing is refused, and nothing is signed until it can.
 *
 * @throws ConfigError with each cap above its limit. The error of a node that does not answer.
 */
export async function refuseCapsAboveVault(
  client: PublicClient,
  custody: Pick<Custody, 'vault' | 'kind'>,
  assets: readonly SignerAsset[],
): Promise<void> {
  const tooHigh = await capsAboveVault(client, custody, assets).catch((error: unknown) => {
    const nodeError = nodeErrorOf(error)
    if (nodeError && isNodeAway(nodeError)) throw error
    return []
  })
  if (tooHigh.length > 0) throw new ConfigError(`${tooHigh.join('; ')}: the vault would not pay all vouchers.`)
}

async function capsAboveVault(
  client: PublicClient,
  custody: Pick<Custody, 'vault' | 'kind'>,
  assets: readonly SignerAsset[],
): Promise<string[]> {
  const limitsOf = await limitReader(client, custody)
  const found = await Promise.all(
    assets.map(async ({ asset, token, perVoucher, perDay }) => {
      const [vaultPerVoucher, vaultPerDay] = await limitsOf(token)
      const above = (name: string) => `withdrawals.caps.${asset}.${name} exceeds the vault's limit`
      return [
        ...(perVoucher > vaultPerVoucher ? [above('perVoucher')] : []),
        ...(perDay > vaultPerDay ? [above('perDay')] : []),
      ]
    }),
  )
  return found.flat()
}

/** Reads the limits of an asset, which a vault with exits keeps in the contract of its keys. */
async function limitReader(
  client: PublicClient,
  custody: Pick<Custody, 'vault' | 'kind'>,
): Promise<(token: `0x${string}`) => Promise<readonly [perVoucher: bigint, perDay: bigint]>> {
  const { vault } = custody
  if (custody.kind !== 'exits') {
    const limits = { address: vault, abi: clearwellVaultAbi, functionName: 'limitsOf' } as const
    return (token) => client.readContract({ ...limits, args: [token] })
  }
  const keys = await createKeysFinder(client, custody)()
  const limits = { address: keys, abi: vaultKeysAbi, functionName: 'limitsOf' } as const
  return (token) => client.readContract({ ...limits, args: [token] })
}
