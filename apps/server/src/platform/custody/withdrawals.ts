import { definePort } from '../port.ts'
import type { WithdrawalRules } from './book-movements.ts'
import type { ExpireDue } from './watcher.ts'

/** The orders behind the vault's payments. */
export interface WithdrawalOrders {
  readonly rules: WithdrawalRules
  /** Gives back the amounts of vouchers that can pay no more. */
  readonly expireDue: ExpireDue
  /** The order that a voucher's nonce belongs to. */
  readonly orderIdOf: (nonce: bigint) => string
  /** The nonces that no order has. */
  readonly withoutOrder: (nonces: readonly bigint[]) => Promise<bigint[]>
  /** The account that signed the last voucher, in lower case; `undefined` in a ledger without one. */
  readonly lastSigner: () => Promise<string | undefined>
}

export const withdrawals = definePort<WithdrawalOrders>('withdrawals')
