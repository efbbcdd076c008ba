import type { Writer } from '@clearwell/ledger/writer'
import type { Chain, ChainBlock } from '../../platform/chain/chain.ts'
import type { ExpireDue } from '../../platform/custody/watcher.ts'
import type { Report } from '../../platform/log/report.ts'
import { expireWithdrawals } from './close-withdrawal.ts'
import type { WalletStore } from './wallet.store.ts'
import type { WithdrawalRow } from './withdrawal-orders.ts'

/** Orders per command. */
const BATCH = 100

/** Removes expired vouchers from the signer's day cap, as of a final block. Called before their amounts are returned. */
export type ExpireVouchers = (orders: readonly WithdrawalRow[], at: ChainBlock) => Promise<void>

export interface ExpiryOptions {
  readonly chain: Chain
  readonly writer: Writer
  readonly store: WalletStore
  readonly expireVouchers: ExpireVouchers
  readonly onError: Report
}

/**
 * Returns the amounts locked for expired vouchers: the deadline has passed in a final block, and as of that block the
 * vault has not paid the nonce.
 */
export function createExpiry({ chain, writer, store, expireVouchers, onError }: ExpiryOptions): ExpireDue {
  /** Orders whose nonce is used without a known payment: reported once, their amounts never returned. */
  const paid = new Set<string>()
  return async (at, isStill) => {
    for (let isMore = true; isMore; ) {
      const due = await store.dueWithdrawals(at.time, [...paid], BATCH)
      if (due.length === 0) return
      // In parallel, so that many unused vouchers do not delay others.
      const used = await Promise.all(due.map(({ nonce }) => chain.isNonceUsed(nonce, at.number)))
      const unused = due.filter((_order, index) => !used[index])
      for (const { id } of due.filter((_order, index) => used[index])) {
        paid.add(id)
        onError(new Error(`the vault has paid order ${id}, but reported no payment`), 'withdrawals')
      }
      // Checked again after the nonces, so that all responses belong to the same fork.
      if (!(await isStill())) return
      if (unused.length > 0) {
        // First, because a crash in between repeats this call, while returned amounts are never processed again.
        await expireVouchers(unused, at)
        const ids = unused.map(({ id }) => id)
        await writer.execute(expireWithdrawals(chain.id, ids, at))
      }
      isMore = due.length === BATCH
    }
  }
}
