import type { Answer } from '@clearwell/api/routes'
import { word } from './call-words.ts'
import { NATIVE_ASSET } from './deposit-call.ts'
import type { ChainCall } from './sent-transaction.ts'

/** The first four bytes of `withdraw((address,address,uint256,uint256,uint256),bytes)` in vault/src/IClearwellVault.sol. */
const WITHDRAW_SELECTOR = '0x4e5c6e4e'
/** Where the signature begins, counted from behind the selector: after the voucher's five words and this one. */
const SIGNATURE_OFFSET = 6n * 32n

/** A transfer out as the server keeps it. */
export type SellOrder = Answer<'sell'>
export type Voucher = NonNullable<SellOrder['voucher']>

/** A transfer out as it was shown to the user: the voucher must say this and nothing else. */
export interface Withdrawal {
  /** Who is paid: the account that is signed in, always. */
  readonly account: string
  readonly vault: string
  /** The asset's contract, or `null` for the native coin. */
  readonly token: string | null
  /** How much, in the token's own base units. */
  readonly units: bigint
}

/** What of a voucher is not what was confirmed. */
export type VoucherFault = 'unsigned' | 'account' | 'asset' | 'amount' | 'vault' | 'deadline' | 'call'

/**
 * The call that submits a voucher, made here from its parts; the server's own call must be the very same.
 *
 * @param chainSeconds the newest block's timestamp: a voucher that is over by then is not submitted.
 * @returns the call, or what is not as confirmed: then the wallet is asked for nothing.
 */
export function withdrawCall(
  order: Pick<SellOrder, 'voucher' | 'signature' | 'to' | 'calldata'>,
  confirmed: Withdrawal,
  chainSeconds: bigint,
): ChainCall | VoucherFault {
  const { voucher, signature, to, calldata } = order
  if (voucher === null || signature === null || calldata === null) return 'unsigned'
  const [amount, nonce, deadline] = [voucher.amount, voucher.nonce, voucher.deadline].map(wholeNumber)
  if (!isSame(voucher.account, confirmed.account)) return 'account'
  if (!isSame(voucher.asset, confirmed.token ?? NATIVE_ASSET)) return 'asset'
  if (amount === undefined || amount !== confirmed.units) return 'amount'
  if (!isSame(to, confirmed.vault)) return 'vault'
  if (deadline === undefined || deadline < chainSeconds) return 'deadline'
  if (nonce === undefined || !/^0x([0-9a-f]{2})+$/i.test(signature)) return 'call'
  const head = [voucher.account, voucher.asset, ...[amount, nonce, deadline, SIGNATURE_OFFSET].map(hexOf)].map(word)
  const data = WITHDRAW_SELECTOR + head.join('') + bytes(signature)
  if (data !== calldata.toLowerCase()) return 'call'
  return { to: confirmed.vault, data, value: 0n }
}

/** A length and the bytes, filled up to whole words. */
function bytes(hex: string): string {
  const digits = hex.slice(2).toLowerCase()
  const length = digits.length / 2
  return word(length.toString(16)) + digits.padEnd(Math.ceil(length / 32) * 64, '0')
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function wholeNumber(text: string): bigint | undefined {
  return /^(0|[1-9]\d{0,77})$/.test(text) ? BigInt(text) : undefined
}

function hexOf(units: bigint): string {
  return units.toString(16)
}
