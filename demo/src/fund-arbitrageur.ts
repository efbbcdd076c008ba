import type { AssetId } from '@clearwell/money/asset'
import type { Custody } from '@clearwell/server/src/platform/chain/chain.ts'
import { vaultDeposit } from '@clearwell/server/src/platform/chain/vault-deposit.ts'
import { type PrivateKeyAccount, parseUnits } from 'viem'
import { approval, type WalletBatch } from './wallet-batch.ts'

/** Enough to follow both prices from a quarter to four times what the pools of the local profile open at. */
const FUNDS: Readonly<Record<AssetId, string>> = { BNB: '10000', USDT: '15000000', ETH: '2000', RT: '0' }

/** Gives an account of the local chain play money and has its wallet pay that into the vault. */
export async function fundArbitrageur(
  { wallets, custody }: { readonly wallets: WalletBatch; readonly custody: Custody },
  account: PrivateKeyAccount,
): Promise<void> {
  const vault = custody.vault as `0x${string}`
  const native = { asset: 'BNB', token: null, units: parseUnits(FUNDS.BNB, 18) } as const
  const tokens = custody.tokens.map(({ asset, address, decimals }) => ({
    asset,
    token: address,
    units: parseUnits(FUNDS[asset], decimals),
  }))
  const calls = [native, ...tokens].flatMap(({ token, units }) => [
    ...(token ? [approval({ account, token, spender: vault, units })] : []),
    { account, ...vaultDeposit({ vault, token, units, orderId: null }) },
  ])
  await wallets.send(
    calls,
    [native, ...tokens].map(({ asset, units }) => ({ address: account.address, asset, units })),
  )
}
