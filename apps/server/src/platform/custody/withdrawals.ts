import { definePort } from '../port.ts'
import type { WithdrawalRules } from './book-movements.ts'
import type { ExpireDue } from './watcher.ts'

/** The vault has paid vouchers that this ledger has lost. */
export interface LostVouchers {
  /** The account that signed the ledger's last voucher, in lower case; `undefined` in a ledger without one. */
  readonly lastSigner: string | undefined
}

/** The orders behind the vault's payments. */
export interface WithdrawalOrders {
  readonly rules: WithdrawalRules
  /** Gives back the amounts of vouchers that can pay no more. */
  readonly expireDue: ExpireDue
  /** The order that a voucher's nonce belongs to. */
  readonly orderIdOf: (nonce: bigint) => string
  /** Finds out if the ledger has lost the voucher of a payout. `undefined`: each nonce has its order. */
  readonly findLost: (nonces: readonly bigint[]) => Promise<LostVouchers | undefined>
}

export const withdrawals = definePort<WithdrawalOrders>('withdrawals')
