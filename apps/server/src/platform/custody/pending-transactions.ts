import type { AssetId } from '@clearwell/money/asset'
import { type Chain, type ChainMovements, movementId } from '../chain/chain.ts'
import type { Clock } from '../time/clock.ts'

/** Blocks whose times are cached: more than are ever unconfirmed. */
const KEPT_BLOCKS = 1_000

/** A wallet's payment that is on the chain but not in the ledger yet. */
export interface PendingTransaction {
  /** The id that the ledger will give it. */
  readonly id: string
  readonly direction: 'in' | 'out'
  readonly asset: AssetId
  readonly units: bigint
  readonly txHash: string
  /** The order that it names, possibly another user's. */
  readonly orderId: string | null
  readonly confirmations: number
  readonly block: bigint
  /** The time of its block. */
  readonly at: Date
}

/**
 * Lists a wallet's unconfirmed payments, each with the time of its block.
 *
 * @param unconfirmedOf the payments that the watcher has seen.
 */
export function createPendingTransactions(options: {
  readonly chain: Pick<Chain, 'id' | 'block'>
  readonly clock: Clock
  readonly unconfirmedOf: (userId: string) => Promise<ChainMovements & { readonly head: bigint }>
  /** The order that a voucher's nonce belongs to. */
  readonly orderIdOf: (nonce: bigint) => string
}): (userId: string) => Promise<PendingTransaction[]> {
  const { chain, clock, unconfirmedOf, orderIdOf } = options
  const times = new Map<string, Date>()

  async function timeOf({ blockNumber, blockHash }: { blockNumber: bigint; blockHash: string }): Promise<Date> {
    const kept = times.get(blockHash)
    if (kept) return kept
    const block = await chain.block(blockNumber).catch(() => undefined)
    // The list must not fail for a missing time: an unconfirmed payment is recent, so the current time is close enough.
    if (block?.hash !== blockHash) return clock.now()
    if (times.size >= KEPT_BLOCKS) times.clear()
    times.set(blockHash, block.time)
    return block.time
  }

  return async (userId) => {
    const { deposits, withdrawals, head } = await unconfirmedOf(userId)
    // Once per block: thousands of payments in one block need one request.
    const blocks = new Map([...deposits, ...withdrawals].map((movement) => [movement.blockHash, movement]))
    const timed = [...blocks].map(async ([hash, movement]) => [hash, await timeOf(movement)] as const)
    const timeOfBlock = new Map(await Promise.all(timed))
    const shared = (movement: (typeof deposits | typeof withdrawals)[number]) => ({
      asset: movement.asset,
      units: movement.units,
      txHash: movement.txHash,
      block: movement.blockNumber,
      confirmations: Number(head - movement.blockNumber + 1n),
      at: timeOfBlock.get(movement.blockHash) ?? clock.now(),
    })
    return [
      ...deposits.map((deposit) => ({
        ...shared(deposit),
        id: movementId(chain.id, deposit),
        direction: 'in' as const,
        orderId: deposit.orderId,
      })),
      ...withdrawals.map((withdrawal) => ({
        ...shared(withdrawal),
        id: orderIdOf(withdrawal.nonce),
        direction: 'out' as const,
        orderId: orderIdOf(withdrawal.nonce),
      })),
    ]
  }
}
