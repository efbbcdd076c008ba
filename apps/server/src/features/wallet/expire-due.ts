import type { Writer } from '@clearwell/ledger/writer'
import type { Chain, ChainBlock } from '../../platform/chain/chain.ts'
import type { ExpireDue } from '../../platform/custody/watcher.ts'
import { expireWithdrawals } from './close-withdrawal.ts'
import type { WalletStore, WithdrawalOrderRow } from './wallet.store.ts'

/** How many orders one command gives back at most. */
const BATCH = 100

/** Called with orders whose vouchers can pay no more as of a final block, before their amounts are given back. */
export type LapsePort = (orders: readonly WithdrawalOrderRow[], at: ChainBlock) => Promise<void>

export interface ExpiryOptions {
  readonly chain: Chain
  readonly writer: Writer
  readonly store: WalletStore
  readonly lapse: LapsePort
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * Gives back the amounts that are locked for vouchers that can pay no more: the deadline has passed in a final block, and as
 * of that block the vault has not paid the nonce.
 */
export function createExpiry({ chain, writer, store, lapse, onError }: ExpiryOptions): ExpireDue {
  /** Orders whose nonce is used although no payment was seen: reported once, never given back. */
  const paid = new Set<string>()
  return async (at, isStill) => {
    for (let isMore = true; isMore; ) {
      const due = await store.dueWithdrawals(at.time, [...paid], BATCH)
      if (due.length === 0) return
      // In parallel, so that many unused vouchers cost one request and delay nobody.
      const used = await Promise.all(due.map(({ nonce }) => chain.isNonceUsed(nonce, at.number)))
      const unused = due.filter((_order, index) => !used[index])
      for (const { id } of due.filter((_order, index) => used[index])) {
        paid.add(id)
        onError(new Error(`the vault has paid order ${id}, but told of no payment`), 'withdrawals')
      }
      // Checked again after the nonces, so that all replies are of the fork that was read.
      if (!(await isStill())) return
      if (unused.length > 0) {
        // First: killed in between, this is done once more, and an amount that was given back is not looked at again.
        await lapse(unused, at)
        const ids = unused.map(({ id }) => id)
        await writer.execute(expireWithdrawals(chain.id, ids, at))
      }
      isMore = due.length === BATCH
    }
  }
}
