import { cutDecimals, parseUnits } from '@clearwell/money/decimal'
import { word } from './call-words.ts'
import type { SignedPermit } from './permit.ts'
import type { ChainCall } from './sent-transaction.ts'

/** The first four bytes of `deposit(address,uint256,bytes32)` in vault/src/IClearwellVault.sol. */
const DEPOSIT_SELECTOR = '0x26b3293f'
/** And of `depositWithPermit(address,uint256,bytes32,uint256,uint8,bytes32,bytes32)`. */
const DEPOSIT_WITH_PERMIT_SELECTOR = '0xe5cc32c6'
export const NATIVE_ASSET = '0x0000000000000000000000000000000000000000'

/** What is paid in, as it was shown to the user. */
export interface Deposit {
  readonly vault: string
  /** The asset's contract, or `null` for the native coin. */
  readonly token: string | null
  readonly units: bigint
  /** 32 bytes as hex. */
  readonly orderId: string
}

/** An amount in the base units that its token has on the chain, which may be fewer than 18 decimals. */
export function chainUnits(amount: string, decimals: number): bigint {
  const units = parseUnits(cutDecimals(amount, decimals), decimals)
  if (units === undefined) throw new TypeError(`chainUnits: ${JSON.stringify(amount)} is not an amount`)
  return units
}

/**
 * The call to the vault that pays an order, made from what the confirmation showed. The server's own call must be the
 * same (`isSameCall`), or nothing is sent.
 */
export function depositCall({ vault, token, units, orderId }: Deposit): ChainCall {
  const data = DEPOSIT_SELECTOR + word(token ?? NATIVE_ASSET) + word(units.toString(16)) + word(orderId)
  return { to: vault, data, value: token === null ? units : 0n }
}

/** The same deposit of a token, with the signed permission for exactly its amount in the same transaction. */
export function depositWithPermitCall(
  { vault, units, orderId }: Deposit,
  token: string,
  permit: SignedPermit,
): ChainCall {
  const { deadline, v, r, s } = permit
  const words = [token, units.toString(16), orderId, deadline.toString(16), v.toString(16), r, s]
  return { to: vault, data: DEPOSIT_WITH_PERMIT_SELECTOR + words.map(word).join(''), value: 0n }
}

/** The call as the server made it. */
export interface ServedCall {
  readonly to: string
  readonly calldata: string
  readonly value: string
}

/** Whether the server asks for the very same payment, and nothing else. */
export function isSameCall(mine: ChainCall, served: ServedCall): boolean {
  return (
    mine.to.toLowerCase() === served.to.toLowerCase() &&
    mine.data === served.calldata.toLowerCase() &&
    mine.value === parseUnits(served.value, 0)
  )
}
