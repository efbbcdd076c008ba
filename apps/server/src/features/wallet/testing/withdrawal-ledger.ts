import type { Command, Plan } from '@clearwell/ledger/command'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { userAccount } from '../../../platform/ledger/accounts.ts'
import { orderWithdrawal } from '../order-withdrawal.ts'
import { type WithdrawalRow, withdrawalOrders } from '../withdrawal-orders.ts'

export const START = new Date('2026-11-21T09:00:00Z')
export const TTL_S = 3_600

/** Transfers out on a ledger in memory. Ids are hex, because the nonce of a voucher is its order's id. */
export class WithdrawalLedger extends MemoryLedger {
  #orders = 0

  constructor() {
    super(START)
  }

  override plan<Result>(command: Command<Result>): Plan<Result> {
    return command.decide(this, { now: this.now, id: () => (++this.#orders).toString(16).padStart(32, '0') })
  }

  /** Locks an amount of BNB for a user, who gets it before, and returns the order. */
  lock(userId: string, units: bigint): WithdrawalRow {
    this.add(userAccount(userId, 'available'), 'BNB', units)
    const rules = { limits: { minOut: 1n, maxOut: 1_000n }, voucherTtlMs: TTL_S * 1_000 }
    const amount = { asset: 'BNB', units } as const
    return this.order(this.execute(orderWithdrawal(rules, { userId, amount, key: undefined, now: this.now })).orderId)
  }

  order(id: string): WithdrawalRow {
    const row = this.row(withdrawalOrders, id)
    if (!row) throw new Error(`there is no order ${id}`)
    return row
  }

  /** The available and the locked BNB. */
  parts(userId: string): [available: bigint, locked: bigint] {
    const of = (place: 'available' | 'locked') => this.balance(userAccount(userId, place), 'BNB')
    return [of('available'), of('locked')]
  }
}
