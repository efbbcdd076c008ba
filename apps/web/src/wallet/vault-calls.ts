import type { ResponseOf } from '@clearwell/api/routes'
import { parseUnits } from '@clearwell/money/decimal'
import { clearwellVaultAbi as abi } from '@clearwell/vault/abi/clearwell-vault'
import { type Address, decodeFunctionData, encodeFunctionData, type Hex, isHex, zeroAddress } from 'viem'
import { askForExit, finishExit } from './exit-calls.ts'
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

/**
 * The vault with exits is asked in this one way. Its whole interface would be loaded otherwise; a test compares the two.
 */
export const withdrawWithRootAbi = [
  {
    type: 'function',
    name: 'withdrawWithRoot',
    inputs: [
      { name: 'header', type: 'bytes' },
      { name: 'rootSignature', type: 'bytes' },
      { name: 'bookSignature', type: 'bytes' },
      {
        name: 'voucher',
        type: 'tuple',
        components: [
          { name: 'account', type: 'address' },
          { name: 'asset', type: 'address' },
          { name: 'amount', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
          { name: 'root', type: 'uint64' },
        ],
      },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [],
    stateMutability: 'nonpayable',
  },
] as const

/** The part of a voucher that differs from the confirmed withdrawal. */
export type VoucherFault = 'unsigned' | 'account' | 'asset' | 'amount' | 'vault' | 'deadline' | 'call'

/** Calls of the vault, built on this device. Loaded with the wallet, as they need viem: reach them through `wallet()`. */
export const vaultCalls = { deposit, depositWithPermit, withdraw, isSameCall, vaultRevert, askForExit, finishExit }

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
 * The call that submits a voucher, built from the voucher's parts. The server's own call must be the same. In a vault with exits the
 * call also posts a root: only the vault can judge its header and signatures, and a wrong one moves nothing.
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
  const stated = { account, asset, amount, nonce, deadline }
  if (voucher.root !== undefined) return withRoot({ ...stated, root: voucher.root }, served, confirmed.vault)
  const args = [stated, signature] as const
  const data = encodeFunctionData({ abi, functionName: 'withdraw', args })
  return data === calldata.toLowerCase() ? { to: confirmed.vault, data, value: 0n } : 'call'
}

interface RootVoucher {
  readonly account: Address
  readonly asset: Address
  readonly amount: bigint
  readonly nonce: bigint
  readonly deadline: bigint
  readonly root: string
}

/** The server's call to a vault with exits, made again from its parts: it must be the same, with exactly this voucher. */
function withRoot(
  { root, ...stated }: RootVoucher,
  { signature, calldata }: ServedVoucher,
  vault: string,
): ChainCall | VoucherFault {
  const number = wholeNumber(root)
  const served = calldata?.toLowerCase() as Hex
  if (number === undefined) return 'call'
  const parts = rootPartsOf(served)
  if (!parts) return 'call'
  const args = [...parts, { ...stated, root: number }, signature as Hex] as const
  const data = encodeFunctionData({ abi: withdrawWithRootAbi, functionName: 'withdrawWithRoot', args })
  return data === served ? { to: vault, data, value: 0n } : 'call'
}

/** The header and its signatures in the server's call; `undefined` where it is no such call. */
function rootPartsOf(data: Hex): readonly [header: Hex, rootSignature: Hex, bookSignature: Hex] | undefined {
  try {
    const [header, rootSignature, bookSignature] = decodeFunctionData({ abi: withdrawWithRootAbi, data }).args
    return [header, rootSignature, bookSignature]
  } catch {
    return undefined
  }
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
