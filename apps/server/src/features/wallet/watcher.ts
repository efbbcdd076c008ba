import { NotReady, type Writer } from '@clearwell/ledger/writer'
import type { Chain, ChainBlock, ChainMovements, ChainWithdrawal } from '../../platform/chain/chain.ts'
import { createChainAlarms } from '../../platform/chain/chain-alarms.ts'
import { isChainTrouble } from '../../platform/chain/chain-fault.ts'
import type { DepositProgress, LookedUp, OrderPayer } from '../../platform/chain/deposit-desk.ts'
import { bookMovements, type CursorMove } from './book-movements.ts'
import type { CreditRules } from './credit-deposit.ts'
import { expireDue, type LapsePort } from './expire-due.ts'
import { movementId } from './movement-draft.ts'
import type { WalletStore } from './wallet.store.ts'

/** How many blocks one question to the node covers at most. */
const MAX_RANGE = 2_000n

export interface WatcherOptions {
  readonly chain: Chain
  readonly writer: Writer
  readonly store: WalletStore
  readonly rules: CreditRules
  readonly lapse: LapsePort
  readonly confirmations: number
  /** The block that the vault was deployed in: nothing can have been paid before. */
  readonly startBlock: bigint
  readonly pollMs: number
  readonly onError: (error: unknown, doing: string) => void
}

/** Whose payment by the vault, and of what, completes an order. */
export type VoucherPayment = Pick<ChainWithdrawal, 'nonce' | 'account' | 'asset' | 'units'>

/**
 * Reads payments to the vault and of the vault off the chain, books them once they are confirmed, and gives back what is
 * locked for vouchers that can pay no more.
 */
export interface Watcher {
  start(): void
  stop(): Promise<void>
  /** Reads up to the chain's head now: what tests and the local controls call instead of waiting. */
  poll(): Promise<void>
  /** A payment of that user in that asset for that order, while it is on the chain but not confirmed. */
  progressOf(order: OrderPayer): DepositProgress | undefined
  /** A payment of the vault against that voucher, while it is on the chain but not confirmed. */
  withdrawalProgressOf(payment: VoucherPayment): DepositProgress | undefined
  /** What that wallet has paid, or was paid, that is on the chain but not confirmed; `head` is the last block seen. */
  unconfirmedOf(userId: string): ChainMovements & { readonly head: bigint }
  /** @throws NotReady when the watcher has halted, or the chain cannot be read now. */
  lookUp(txHash: string): Promise<LookedUp>
  /** Why it has stopped for good, if it has: the chain no longer holds what was already credited. */
  readonly halted: string | undefined
}

export function createWatcher(options: WatcherOptions): Watcher {
  const { chain, writer, store, rules, lapse, confirmations, startBlock, pollMs, onError } = options
  const required = BigInt(confirmations)
  const alarms = createChainAlarms((error) => onError(error, 'watcher'))
  /** What is on the chain but not confirmed. Made anew by each pass. */
  let unconfirmed: Unconfirmed = NOTHING
  /** Orders whose voucher is paid although no payment was seen. */
  const paidUnseen = new Set<string>()
  let halted: string | undefined
  let isChainShort = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<readonly string[]> | undefined
  let stopped = false

  /**
   * Reads one range. Answers what it has credited, whether there is more to read at once, and the cursor's block where the
   * chain has it and all that is confirmed is read.
   */
  async function pass(): Promise<{ credited: readonly string[]; isBehind: boolean; readTo?: ChainBlock | undefined }> {
    const nothing = { credited: [], isBehind: false }
    if (halted || !writer.isWriting) return nothing
    const cursor = await store.cursor(chain.id)
    if (cursor && !(await holds(cursor))) return nothing
    const head = await chain.head()
    const from = cursor ? cursor.number + 1n : startBlock
    if (head.number < from) {
      unconfirmed = NOTHING
      return { ...nothing, readTo: cursor }
    }
    const to = lower(head.number, from + MAX_RANGE - 1n)
    const confirmedTo = lower(head.number - required + 1n, to)
    // Asked before the payments and again after them: all three answers are then of the same fork, and no payment of
    // another is jumped over.
    const next = confirmedTo < from ? undefined : await chain.block(confirmedTo)
    const found = await chain.movements({ from, to })
    const confirmed = only(found, (movement) => movement.blockNumber <= confirmedTo)
    unconfirmed = progress(
      only(found, (movement) => movement.blockNumber > confirmedTo),
      head.number,
    )
    if (!next) return { ...nothing, readTo: cursor }
    if (!(await areStill([next, ...blocksOf(confirmed)]))) return nothing
    const credited = await book(confirmed, { from: cursor, to: next })
    const isBehind = to < head.number
    return { credited, isBehind, readTo: isBehind ? undefined : next }
  }

  /** Books what is confirmed, and tells of what the vault paid against no order. Answers what is credited now. */
  async function book(confirmed: ChainMovements, move?: CursorMove): Promise<readonly string[]> {
    const { credited, unknown } = await writer.execute(bookMovements(rules, confirmed, move))
    for (const { id, reason } of unknown) onError(new Error(`the vault's payment ${id}: ${reason}`), 'withdrawals')
    return credited
  }

  /** Whether the chain still has the block that was read last. If it has another there, the watcher halts for good. */
  async function holds(cursor: PlacedBlock): Promise<boolean> {
    const block = await chain.block(cursor.number)
    if (block?.hash === cursor.hash) {
      isChainShort = false
      return true
    }
    unconfirmed = NOTHING
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

  async function areStill(blocks: readonly PlacedBlock[]): Promise<boolean> {
    const hashes = new Map<bigint, string>()
    for (const { number, hash } of blocks) {
      if ((hashes.get(number) ?? hash) !== hash) return false
      hashes.set(number, hash)
    }
    // Asked together, so that it is one request whatever their number.
    const now = await Promise.all([...hashes.keys()].map((number) => chain.block(number)))
    return [...hashes.values()].every((hash, index) => now[index]?.hash === hash)
  }

  function progress(movements: ChainMovements, head: bigint): Unconfirmed {
    const { deposits, withdrawals } = movements
    const seen = new Map<string, DepositProgress>()
    const depth = (blockNumber: bigint) => Number(head - blockNumber + 1n)
    for (const { orderId, account: userId, asset, txHash, blockNumber } of deposits) {
      if (orderId === null) continue
      seen.set(progressKey({ orderId, userId, asset }), { txHash, confirmations: depth(blockNumber) })
    }
    for (const withdrawal of withdrawals) {
      const { txHash, blockNumber } = withdrawal
      seen.set(voucherKey(withdrawal), { txHash, confirmations: depth(blockNumber) })
    }
    return { byKey: seen, movements, head }
  }

  async function passes(): Promise<readonly string[]> {
    const credited: string[] = []
    try {
      for (let isBehind = true; isBehind && !stopped; ) {
        const done = await pass()
        credited.push(...done.credited)
        isBehind = done.isBehind
        // Only where the cursor is near the head: a node that keeps no history answers for the last blocks alone.
        const { readTo } = done
        if (readTo)
          await expireDue({ chain, writer, store, lapse, onError }, readTo, () => areStill([readTo]), paidUnseen)
      }
      alarms.passed()
    } catch (error) {
      alarms.raise(error)
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

  async function readAndBook(txHash: string): Promise<LookedUp> {
    const transaction = await chain.movementsOf(txHash)
    if (transaction.status !== 'mined') return { status: transaction.status }
    const { block, deposits, withdrawals } = transaction
    if (deposits.length + withdrawals.length === 0) return { status: 'not_ours' }
    const head = await chain.head()
    const depth = Number(head.number - block.number + 1n)
    const shown = Math.max(0, Math.min(depth, confirmations))
    const found = { confirmations: shown, deposits, withdrawals }
    if (depth < confirmations) return { status: 'pending', ...found }
    // The watcher goes first. Booked is only what lies behind its cursor, so that a reorganisation which takes it out
    // again, or moves it to another log index, is always noticed and never booked twice.
    const byWatcher = new Set(await catchUp())
    if (halted) throw new NotReady(halted)
    const cursor = await store.cursor(chain.id)
    if (!cursor || cursor.number < block.number || !(await areStill([cursor, block]))) {
      return { status: 'pending', ...found }
    }
    const credited = await book({ deposits, withdrawals })
    const isNew = credited.length > 0 || deposits.some((deposit) => byWatcher.has(movementId(chain.id, deposit)))
    return { status: isNew ? 'credited' : 'already', ...found }
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
    progressOf: (order) => unconfirmed.byKey.get(progressKey(order)),
    withdrawalProgressOf: (payment) => unconfirmed.byKey.get(voucherKey(payment)),
    unconfirmedOf: (userId) => ({
      ...only(unconfirmed.movements, (movement) => movement.account === userId),
      head: unconfirmed.head,
    }),
    async lookUp(txHash) {
      try {
        return await readAndBook(txHash)
      } catch (error) {
        if (!isChainTrouble(error)) throw error
        alarms.raise(error)
        throw new NotReady('the chain cannot be read', { cause: error })
      }
    },
  }
}

/** What is on the chain but not confirmed, and the head that it was counted from. */
interface Unconfirmed {
  readonly byKey: ReadonlyMap<string, DepositProgress>
  readonly movements: ChainMovements
  readonly head: bigint
}

const NOTHING: Unconfirmed = { byKey: new Map(), movements: { deposits: [], withdrawals: [] }, head: 0n }

type PlacedBlock = Pick<ChainBlock, 'number' | 'hash'>

function progressKey({ orderId, userId, asset }: OrderPayer): string {
  return `${orderId} ${userId} ${asset}`
}

function voucherKey({ nonce, account, asset, units }: VoucherPayment): string {
  return `voucher ${nonce} ${account} ${asset} ${units}`
}

function only(
  { deposits, withdrawals }: ChainMovements,
  wanted: (movement: { readonly blockNumber: bigint; readonly account: string }) => boolean,
): ChainMovements {
  return { deposits: deposits.filter(wanted), withdrawals: withdrawals.filter(wanted) }
}

function blocksOf({ deposits, withdrawals }: ChainMovements): { number: bigint; hash: string }[] {
  return [...deposits, ...withdrawals].map(({ blockNumber, blockHash }) => ({ number: blockNumber, hash: blockHash }))
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
