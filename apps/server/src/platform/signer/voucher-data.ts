import {
  type RootVoucher,
  rootVoucherDomain,
  rootVoucherTypes,
  type WithdrawalVoucher,
  withdrawalDomain,
  withdrawalTypes,
} from '@clearwell/vault/abi/withdrawal-typed-data'
import { hashTypedData } from 'viem'
import type { LocalAccount } from 'viem/accounts'

/** A voucher as one kind of vault takes it. */
export interface VoucherData {
  readonly digest: `0x${string}`
  /** Signs it by EIP-712. */
  signBy(account: LocalAccount): Promise<`0x${string}`>
}

/** Returns a voucher for the vault without exits, by EIP-712. */
export function plainVoucher(
  vault: { chainId: number; vault: `0x${string}` },
  message: WithdrawalVoucher,
): VoucherData {
  const typed = { domain: withdrawalDomain(vault), types: withdrawalTypes, primaryType: 'Withdrawal', message } as const
  return { digest: hashTypedData(typed), signBy: (account) => account.signTypedData(typed) }
}

/** Returns a voucher for the vault with exits, by EIP-712. */
export function rootVoucher(vault: { chainId: number; vault: `0x${string}` }, message: RootVoucher): VoucherData {
  const domain = rootVoucherDomain(vault)
  const typed = { domain, types: rootVoucherTypes, primaryType: 'Withdrawal', message } as const
  return { digest: hashTypedData(typed), signBy: (account) => account.signTypedData(typed) }
}
