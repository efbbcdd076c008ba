// The EIP-712 message that the signer signs for `withdraw`, in the shape of viem's `signTypedData`:
//
//   signTypedData({
//     domain: withdrawalDomain({ chainId, vault }),
//     types: withdrawalTypes,
//     primaryType: 'Withdrawal',
//     message: { account, asset, amount, nonce, deadline },
//   })
//
// vault/test/Signature.t.sol holds a digest and a signature that viem made of exactly these values.

/** The fields of a voucher; amounts in base units, `asset` is the zero address for the native coin, `deadline` in seconds. @public */
export type WithdrawalVoucher = {
  account: `0x${string}`
  asset: `0x${string}`
  amount: bigint
  nonce: bigint
  deadline: bigint
}

/** The native coin, where the vault asks for an asset. @public */
export const nativeAsset = '0x0000000000000000000000000000000000000000'

/** EIP-712 types of a voucher. @public */
export const withdrawalTypes = {
  Withdrawal: [
    { name: 'account', type: 'address' },
    { name: 'asset', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** Binds a signature to one vault on one chain. @public */
export function withdrawalDomain({ chainId, vault }: { chainId: number; vault: `0x${string}` }) {
  return { name: 'Clearwell Vault', version: '1', chainId, verifyingContract: vault } as const
}

/** A voucher for the vault with exits: `root` is the number of a header that holds the lock of its amount. @public */
export type RootVoucher = WithdrawalVoucher & { root: bigint }

/** EIP-712 types of a voucher for the vault with exits: see vault/src/exit/IExitVault.sol. @public */
export const rootVoucherTypes = {
  Withdrawal: [...withdrawalTypes.Withdrawal, { name: 'root', type: 'uint64' }],
} as const

/** The same domain as that of the headers. @public */
export function rootVoucherDomain(of: { chainId: number; vault: `0x${string}` }) {
  return { ...withdrawalDomain(of), version: '2' } as const
}
