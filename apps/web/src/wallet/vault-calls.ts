import type { ResponseOf } from '@clearwell/api/routes'
import { parseUnits } from '@clearwell/money/decimal'
import { clearwellVaultAbi as abi } from '@clearwell/vault/abi/clearwell-vault'
import { type Address, encodeFunctionData, type Hex, isHex, zeroAddress } from 'viem'
import type { SignedPermit } from './permit.ts'
import type { ChainCall } from './sent-transaction.ts'
import { vaultRevert } from './vault-revert.ts'

/** A payment into the vault, as its user confirmed it. */
export interface VaultDeposit {
  readonly vault: string
  /** The asset's contract, or `null` for the native coin. */
  readonly token: string | null
  /** In the token's own base units. */
  readonly units: bigint
  /** 32 bytes as hex. */
  readonly orderId: string
}

/** A payment out of the vault, as its user confirmed it: the voucher must say exactly this. */
export interface VaultWithdrawal extends Omit<VaultDeposit, 'orderId'> {
  /** The recipient: always the signed-in account. */
  readonly account: string
}

/** The server's call for a payment into the vault. */
export interface ServedCall {
  readonly to: string
  readonly calldata: string
  readonly value: string
}

/** The server's voucher, its signature and its call. */
export type ServedVoucher = Pick<ResponseOf<'sell'>, 'voucher' | 'signature' | 'to' | 'calldata'>

/** The part of a voucher that differs from the confirmed withdrawal. */
export type VoucherFault = 'unsigned' | 'account' | 'asset' | 'amount' | 'vault' | 'deadline' | 'call'

/** Calls of the vault, built on this device. Loaded with the wallet, as they need viem: reach them through `wallet()`. */
export const vaultCalls = { deposit, depositWithPermit, withdraw, isSameCall, vaultRevert }

/** The call that pays an order. Send it only where the server's call is the same (`isSameCall`). */
function deposit({ vault, token, units, orderId }: VaultDeposit): ChainCall {
  const args = [addressOf(token), units, orderId as Hex] as const
  const data = encodeFunctionData({ abi, functionName: 'deposit', args })
  return { to: vault, data, value: token === null ? units : 0n }
}

/** The same payment of a token, with the signed permission for exactly its amount in the same transaction. */
function depositWithPermit({ vault, units, orderId }: VaultDeposit, token: string, permit: SignedPermit): ChainCall {
  const { deadline, v, r, s } = permit
  const args = [addressOf(token), units, orderId as Hex, deadline, v, r as Hex, s as Hex] as const
  return { to: vault, data: encodeFunctionData({ abi, functionName: 'depositWithPermit', args }), value: 0n }
}

/**
 * The call that submits a voucher, built from the voucher's parts. The server's own call must be the same.
 *
 * @param chainSeconds the newest block's timestamp: a voucher past its deadline is not submitted.
 * @returns the call, or the part that differs from the confirmed withdrawal: then the wallet is not asked.
 */
function withdraw(served: ServedVoucher, confirmed: VaultWithdrawal, chainSeconds: bigint): ChainCall | VoucherFault {
  const { voucher, signature, to, calldata } = served
  if (voucher === null || signature === null || calldata === null) return 'unsigned'
  const [amount, nonce, deadline] = [voucher.amount, voucher.nonce, voucher.deadline].map(wholeNumber)
  const [account, asset] = [addressOf(confirmed.account), addressOf(confirmed.token)]
  if (addressOf(voucher.account) !== account) return 'account'
  if (addressOf(voucher.asset) !== asset) return 'asset'
  if (amount === undefined || amount !== confirmed.units) return 'amount'
  if (addressOf(to) !== addressOf(confirmed.vault)) return 'vault'
  if (deadline === undefined || deadline < chainSeconds) return 'deadline'
  if (nonce === undefined || !isHex(signature)) return 'call'
  const args = [{ account, asset, amount, nonce, deadline }, signature] as const
  const data = encodeFunctionData({ abi, functionName: 'withdraw', args })
  return data === calldata.toLowerCase() ? { to: confirmed.vault, data, value: 0n } : 'call'
}

/** Returns whether the server asks for exactly this payment. */
function isSameCall(mine: ChainCall, served: ServedCall): boolean {
  return (
    addressOf(mine.to) === addressOf(served.to) &&
    mine.data === served.calldata.toLowerCase() &&
    mine.value === parseUnits(served.value, 0)
  )
}

/** In lower case, as viem checks the checksum of every other spelling. The native coin is address zero. */
function addressOf(text: string | null): Address {
  return (text?.toLowerCase() ?? zeroAddress) as Address
}

function wholeNumber(text: string): bigint | undefined {
  return /^(0|[1-9]\d{0,77})$/.test(text) ? BigInt(text) : undefined
}
