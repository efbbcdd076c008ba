import type { AssetId } from '@clearwell/money/asset'
import { encodeHeader } from '@clearwell/proofs/header'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { nativeAsset } from '@clearwell/vault/abi/withdrawal-typed-data'
import { encodeFunctionData, getAddress } from 'viem'
import type { Custody } from '../../platform/chain/chain.ts'
import { unitOf } from '../../platform/custody/deposit-desk.ts'
import type { AnyVoucher } from '../../platform/signer/signer.ts'
import type { SignedRoot } from '../../platform/signer/voucher-root.ts'
import type { TransferAsset } from './transfer-rules.ts'
import type { WithdrawalRow } from './withdrawal-orders.ts'

/** The voucher of an order. Always the same for the same order, so the signer never signs two. */
export function voucherOf(
  { tokens }: Pick<Custody, 'tokens'>,
  order: Pick<WithdrawalRow, 'user_id' | 'asset' | 'amount' | 'nonce' | 'deadline' | 'root'>,
): AnyVoucher {
  return {
    account: getAddress(order.user_id),
    asset: tokenOf({ tokens }, order.asset),
    // Exact division: an order's amount is in whole units of its token.
    amount: order.amount / unitOf({ tokens }, order.asset),
    nonce: order.nonce,
    deadline: BigInt(order.deadline.getTime()) / 1000n,
    ...(order.root === null ? {} : { root: order.root }),
  }
}

/** True if the voucher of the order is for a vault that was replaced since. The vault of today rejects it. */
export function isOfReplacedVault(
  { movedAt }: Pick<Custody, 'movedAt'>,
  { created_at: createdAt }: Pick<WithdrawalRow, 'created_at'>,
): boolean {
  return movedAt !== undefined && createdAt <= movedAt
}

/**
 * The vault's address of an asset: its token's contract, or the zero address for the native coin.
 *
 * @throws Error for an asset without a token on this chain: the native coin must never be paid in its place.
 */
export function tokenOf({ tokens }: Pick<Custody, 'tokens'>, asset: AssetId): `0x${string}` {
  if (asset === 'BNB') return nativeAsset
  const token = tokens.find((each) => each.asset === asset)
  if (!token) throw new Error(`${asset} has no token on this chain`)
  return token.address
}

/** Lists the assets that the vault can hold: the native coin, and those with a token on this chain. */
export function transferAssets({ tokens }: Pick<Custody, 'tokens'>): TransferAsset[] {
  const all: readonly TransferAsset[] = ['BNB', 'USDT', 'ETH']
  return all.filter((asset) => asset === 'BNB' || tokens.some((token) => token.asset === asset))
}

/** The call to the vault without exits that pays a voucher. */
export function withdrawCall(voucher: AnyVoucher, signature: string): `0x${string}` {
  return encodeFunctionData({
    abi: clearwellVaultAbi,
    functionName: 'withdraw',
    args: [voucher, signature as `0x${string}`],
  })
}

/** True if the vault takes roots, and each voucher names one. */
export function hasExits({ kind }: Pick<Custody, 'kind'>): boolean {
  return kind === 'exits'
}

/**
 * The call to the vault with exits that pays a voucher. It posts the root first, unless the vault has it or a later one.
 *
 * @param root the one that the voucher names, or a later one.
 */
export function withdrawWithRootCall(
  { root: number = 0n, ...voucher }: AnyVoucher,
  signature: string,
  { header, rootSignature, bookSignature }: SignedRoot,
): `0x${string}` {
  return encodeFunctionData({
    abi: exitVaultAbi,
    functionName: 'withdrawWithRoot',
    args: [
      encodeHeader(header),
      rootSignature,
      bookSignature,
      { ...voucher, root: number },
      signature as `0x${string}`,
    ],
  })
}
