import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { nativeAsset } from '@clearwell/vault/abi/withdrawal-typed-data'
import type { PublicClient } from 'viem'
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts'
import { configUnits } from '../../config/fields.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Custody } from '../chain/chain.ts'
import { localSignerAccount } from '../chain/local-wallets.ts'
import { unitOf } from '../custody/deposit-desk.ts'
import type { SignerAsset } from './signer.ts'

/** The account that signs vouchers: `SIGNER_KEY`'s, or the one that every local chain has. */
export function signerAccount({ env }: PlatformConfig): LocalAccount {
  return env.signerKey === undefined ? localSignerAccount() : privateKeyToAccount(env.signerKey)
}

/** The assets of the custody with the caps of the configuration. */
export function signerAssets({ withdrawals }: PlatformConfig, { tokens }: Custody): SignerAsset[] {
  const listed = [{ asset: 'BNB' as const, address: nativeAsset }, ...tokens] as const
  return listed.flatMap(({ asset, address: token }) => {
    if (asset === 'RT') return []
    const caps = withdrawals.caps[asset]
    const unit = unitOf({ tokens }, asset)
    // Down: what the cap has beyond the token's own unit cannot be paid anyway.
    const units = (text: string) => configUnits(text, asset) / unit
    return { asset, token, perVoucher: units(caps.perVoucher), perDay: units(caps.perDay) }
  })
}

/**
 * Compares the signer's caps with those of the vault: above them, vouchers are signed that the vault does not pay.
 *
 * @returns one sentence for each that is above.
 */
export async function capsAboveVault(
  client: PublicClient,
  vault: `0x${string}`,
  assets: readonly SignerAsset[],
): Promise<string[]> {
  const found = await Promise.all(
    assets.map(async ({ asset, token, perVoucher, perDay }) => {
      const call = { address: vault, abi: clearwellVaultAbi, functionName: 'limitsOf', args: [token] } as const
      const [vaultPerVoucher, vaultPerDay] = await client.readContract(call)
      const above = (name: string) => `withdrawals.caps.${asset}.${name} is above what the vault lets out`
      return [
        ...(perVoucher > vaultPerVoucher ? [above('perVoucher')] : []),
        ...(perDay > vaultPerDay ? [above('perDay')] : []),
      ]
    }),
  )
  return found.flat()
}
