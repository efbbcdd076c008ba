import { NotReady, type Writer } from '@clearwell/ledger/writer'
import type { Chain, ChainBlock, ChainDeposit } from '../../chain/chain.ts'
import type { DepositProgress, LookedUp, OrderPayer } from '../../chain/deposit-desk.ts'
import { type CreditRules, creditDeposits, depositId } from './credit-deposits.ts'
import type { WalletStore } from './wallet.store.ts'

/** How many blocks one question to the node covers at most. */
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
  /** Reads up to the chain's head now: what tests and the local controls call instead of waiting. */
  poll(): Promise<void>
  /** A payment of that user in that asset for that order, while it is on the chain but not confirmed. */
  progressOf(order: OrderPayer): DepositProgress | undefined
  /** @throws NotReady when the watcher has halted. */
  lookUp(txHash: string): Promise<LookedUp>
  /** Why it has stopped for good, if it has: the chain no longer holds what was already credited. */
  readonly halted: string | undefined
}

export function createWatcher(options: WatcherOptions): Watcher {
  const { chain, writer, store, rules, confirmations, startBlock, pollMs, onError } = options
  const required = BigInt(confirmations)
  /** Payments that are on the chain but not confirmed. Made anew by each pass. */
  let unconfirmed = new Map<string, DepositProgress>()
  let halted: string | undefined
  let isChainShort = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<readonly string[]> | undefined
  let stopped = false

  /** Reads one range. Answers what it has credited, and whether there is more to read at once. */
  async function pass(): Promise<{ credited: readonly string[]; isBehind: boolean }> {
    const nothing = { credited: [], isBehind: false }
    if (halted || !writer.isWriting) return nothing
    const cursor = await store.cursor(chain.id)
    if (cursor && !(await holds(cursor))) return nothing
    const head = await chain.head()
    const from = cursor ? cursor.number + 1n : startBlock
    if (head.number < from) {
      unconfirmed = new Map()
      return nothing
    }
    const to = lower(head.number, from + MAX_RANGE - 1n)
    const confirmedTo = lower(head.number - required + 1n, to)
    // Asked before the payments and again after them: all three answers are then of the same fork, and no payment of
    // another is jumped over.
    const next = confirmedTo < from ? undefined : await chain.block(confirmedTo)
    const found = await chain.deposits({ from, to })
    const confirmed = found.filter((deposit) => deposit.blockNumber <= confirmedTo)
    unconfirmed = progress(
      found.filter((deposit) => deposit.blockNumber > confirmedTo),
      head.number,
    )
    if (!next || !(await areStill([next, ...confirmed.map(blockOf)]))) return nothing
    const { credited } = await writer.execute(creditDeposits(rules, confirmed, { from: cursor, to: next }))
    return { credited, isBehind: to < head.number }
  }

  /** Whether the chain still has the block that was read last. If it has another there, the watcher halts for good. */
  async function holds(cursor: ChainBlock): Promise<boolean> {
    const block = await chain.block(cursor.number)
    if (block?.hash === cursor.hash) {
      isChainShort = false
      return true
    }
    unconfirmed = new Map()
    if (block) {
      halted = `block ${cursor.number} was ${cursor.hash} when it was credited, and is not any more`
      onError(new Error(halted), 'watcher halted')
    } else if (!isChainShort) {
      // A node that lags behind the one that was asked before: no proof of anything, so wait for it.
      isChainShort = true
      onError(new Error(`the chain has no block ${cursor.number} now, which was read before`), 'watcher')
    }
    return false
  }

  async function areStill(blocks: readonly ChainBlock[]): Promise<boolean> {
    const hashes = new Map<bigint, string>()
    for (const { number, hash } of blocks) {
      if ((hashes.get(number) ?? hash) !== hash) return false
      hashes.set(number, hash)
    }
    for (const [number, hash] of hashes) if ((await chain.block(number))?.hash !== hash) return false
    return true
  }

  function progress(waiting: readonly ChainDeposit[], head: bigint): Map<string, DepositProgress> {
    const seen = new Map<string, DepositProgress>()
    for (const { orderId, account: userId, asset, txHash, blockNumber } of waiting) {
      if (orderId === null) continue
      seen.set(progressKey({ orderId, userId, asset }), { txHash, confirmations: Number(head - blockNumber + 1n) })
    }
    return seen
  }

  async function passes(): Promise<readonly string[]> {
    const credited: string[] = []
    try {
      for (let isBehind = true; isBehind && !stopped; ) {
        const done = await pass()
        credited.push(...done.credited)
        isBehind = done.isBehind
      }
    } catch (error) {
      onError(error, 'watcher')
    }
    return credited
  }

  /** Reads up to the head as it is now, or later. Answers what that has credited. */
  async function catchUp(): Promise<readonly string[]> {
    // What is under way may have asked for the head already.
    await running
    running ??= passes().finally(() => {
      running = undefined
    })
    return running
  }

  function schedule(): void {
    if (stopped) return
    timer = setTimeout(() => void catchUp().finally(schedule), pollMs)
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
      await catchUp()
    },
    progressOf: (order) => unconfirmed.get(progressKey(order)),
    async lookUp(txHash) {
      const transaction = await chain.depositsOf(txHash)
      if (transaction.status !== 'mined') return { status: transaction.status }
      const { block, deposits } = transaction
      if (deposits.length === 0) return { status: 'not_ours' }
      const head = await chain.head()
      const depth = Number(head.number - block.number + 1n)
      const shown = Math.max(0, Math.min(depth, confirmations))
      const pending = { status: 'pending', confirmations: shown, deposits } as const
      if (depth < confirmations) return pending
      // The watcher goes first. Credited is only what lies behind its cursor, so that a reorganisation which takes it
      // out again, or moves it to another log index, is always noticed and never credited twice.
      const byWatcher = new Set(await catchUp())
      if (halted) throw new NotReady(halted)
      const cursor = await store.cursor(chain.id)
      if (!cursor || cursor.number < block.number || !(await areStill([cursor, block]))) return pending
      const { credited } = await writer.execute(creditDeposits(rules, deposits))
      const isNew = credited.length > 0 || deposits.some((deposit) => byWatcher.has(depositId(chain.id, deposit)))
      return { status: isNew ? 'credited' : 'already', confirmations: shown, deposits }
    },
  }
}

function progressKey({ orderId, userId, asset }: OrderPayer): string {
  return `${orderId} ${userId} ${asset}`
}

function blockOf(deposit: ChainDeposit): ChainBlock {
  return { number: deposit.blockNumber, hash: deposit.blockHash }
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
