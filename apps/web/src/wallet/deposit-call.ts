import { cutDecimals, parseUnits } from '@clearwell/money/decimal'

/** The first four bytes of `deposit(address,uint256,bytes32)` in vault/src/IClearwellVault.sol. */
const DEPOSIT_SELECTOR = '0x26b3293f'
const NATIVE = '0x0000000000000000000000000000000000000000'

/** What the wallet is asked to send. */
export interface DepositCall {
  readonly to: string
  readonly data: string
  /** The native coin that goes along, in its base units. */
  readonly value: bigint
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
 *
 * @param token the asset's contract, or `null` for the native coin.
 */
export function depositCall(deposit: {
  vault: string
  token: string | null
  units: bigint
  orderId: string
}): DepositCall {
  const { vault, token, units, orderId } = deposit
  const data = DEPOSIT_SELECTOR + word(token ?? NATIVE) + word(units.toString(16)) + word(orderId)
  return { to: vault, data, value: token === null ? units : 0n }
}

/** The call as the server made it. */
export interface ServedCall {
  readonly to: string
  readonly calldata: string
  readonly value: string
}

/** Whether the server asks for the very same payment, and nothing else. */
export function isSameCall(mine: DepositCall, served: ServedCall): boolean {
  return (
    mine.to.toLowerCase() === served.to.toLowerCase() &&
    mine.data === served.calldata.toLowerCase() &&
    mine.value === parseUnits(served.value, 0)
  )
}

/** 32 bytes as hex. */
function word(hex: string): string {
  return hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')
}
