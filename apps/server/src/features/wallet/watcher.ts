import type { Writer } from '@clearwell/ledger/writer'
import type { Chain, ChainBlock, ChainDeposit } from '../../chain/chain.ts'
import type { DepositProgress, LookedUp } from '../../chain/deposit-desk.ts'
import { type CreditRules, creditDeposits } from './credit-deposits.ts'
import type { WalletStore } from './wallet.store.ts'

/** How many blocks one pass reads at most. */
const MAX_RANGE = 2_000n

export interface WatcherOptions {
  readonly chain: Chain
  readonly writer: Writer
  readonly store: WalletStore
  readonly rules: CreditRules
  readonly confirmations: number
  /** The block that the vault was deployed in: nothing can have been paid before. */
  readonly startBlock: bigint
  readonly pollMs: number
  readonly onError: (error: unknown, doing: string) => void
}

/** Reads payments off the chain and credits them once they are confirmed. */
export interface Watcher {
  start(): void
  stop(): Promise<void>
  /** One pass now: what tests and the local controls call instead of waiting. */
  poll(): Promise<void>
  progressOf(orderId: string): DepositProgress | undefined
  lookUp(txHash: string): Promise<LookedUp>
  /** Why it has stopped for good, if it has: the chain no longer holds what was already credited. */
  readonly halted: string | undefined
}

export function createWatcher(options: WatcherOptions): Watcher {
  const { chain, writer, store, rules, confirmations, startBlock, pollMs, onError } = options
  const required = BigInt(confirmations)
  /** Payments that are on the chain but not confirmed, by order id. Made anew by each pass. */
  let unconfirmed = new Map<string, DepositProgress>()
  let halted: string | undefined
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let stopped = false

  async function pass(): Promise<void> {
    if (halted || !writer.isWriting) return
    const cursor = await store.cursor(chain.id)
    if (cursor && !(await isStill(cursor))) {
      halted = `block ${cursor.number} was ${cursor.hash} when it was credited, and is not any more`
      onError(new Error(halted), 'watcher halted')
      return
    }
    const head = await chain.head()
    const from = cursor ? cursor.number + 1n : startBlock
    if (head.number < from) return
    const limit = from + MAX_RANGE - 1n
    const to = head.number < limit ? head.number : limit
    const found = await chain.deposits({ from, to })
    const confirmedTo = head.number - required + 1n < to ? head.number - required + 1n : to
    await creditUpTo(confirmedTo, cursor, found)
    unconfirmed = progress(
      found.filter((deposit) => deposit.blockNumber > confirmedTo),
      head.number,
    )
  }

  async function creditUpTo(
    number: bigint,
    cursor: ChainBlock | undefined,
    found: readonly ChainDeposit[],
  ): Promise<void> {
    if (number < (cursor ? cursor.number + 1n : startBlock)) return
    const block = await chain.block(number)
    if (!block) return
    const confirmed = found.filter((deposit) => deposit.blockNumber <= number)
    // The chain may have changed between the two questions: a payment must lie in the block that is there now.
    for (const deposit of confirmed)
      if (!(await isStill({ number: deposit.blockNumber, hash: deposit.blockHash }))) return
    await writer.execute(creditDeposits(rules, confirmed, { from: cursor, to: block }))
  }

  async function isStill(block: ChainBlock): Promise<boolean> {
    return (await chain.block(block.number))?.hash === block.hash
  }

  function progress(waiting: readonly ChainDeposit[], head: bigint): Map<string, DepositProgress> {
    const seen = new Map<string, DepositProgress>()
    for (const { orderId, txHash, blockNumber } of waiting) {
      if (orderId !== null) seen.set(orderId, { txHash, confirmations: Number(head - blockNumber + 1n) })
    }
    return seen
  }

  function poll(): Promise<void> {
    running ??= pass()
      .catch((error) => onError(error, 'watcher'))
      .finally(() => {
        running = undefined
      })
    return running
  }

  function schedule(): void {
    if (stopped) return
    timer = setTimeout(() => void poll().finally(schedule), pollMs)
  }

  return {
    get halted() {
      return halted
    },
    start: schedule,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
    async poll() {
      // A pass that is under way may have asked for the head already.
      await running
      await poll()
    },
    progressOf: (orderId) => unconfirmed.get(orderId),
    async lookUp(txHash) {
      const transaction = await chain.depositsOf(txHash)
      if (transaction.status !== 'mined') return { status: transaction.status }
      const { block, deposits } = transaction
      if (deposits.length === 0) return { status: 'not_ours' }
      const head = await chain.head()
      const depth = Number(head.number - block.number + 1n)
      const shown = Math.max(0, Math.min(depth, confirmations))
      if (depth < confirmations || !(await isStill(block))) return { status: 'pending', confirmations: shown, deposits }
      const { credited } = await writer.execute(creditDeposits(rules, deposits))
      return { status: credited.length > 0 ? 'credited' : 'already', confirmations: shown, deposits }
    },
  }
}
