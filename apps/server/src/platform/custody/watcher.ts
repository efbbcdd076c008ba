import type { Database } from '@clearwell/ledger/database'
import { Refusal } from '@clearwell/ledger/refusal'
import { NotReady, type Writer } from '@clearwell/ledger/writer'
import { formatAmount } from '@clearwell/money/amount'
import { type Chain, type ChainBlock, type ChainDeposit, type ChainMovements, movementId } from '../chain/chain.ts'
import { createChainAlarms } from '../chain/chain-alarms.ts'
import { isChainTrouble } from '../chain/chain-fault.ts'
import type { Report } from '../log/report.ts'
import { repeat } from '../time/repeat.ts'
import { type Booked, bookMovements, type CursorMove, type MovementRules } from './book-movements.ts'
import { readCursor } from './chain-cursors.ts'
import type { CursorBooking, CursorFollower } from './cursor-followers.ts'
import type { LookedUp } from './deposit-desk.ts'
import { createPendingMovements, readUnconfirmed, type UnconfirmedMovements } from './pending-movements.ts'
import { isOneFork, type Reading, readBlocks } from './read-blocks.ts'
import { createCursorCheck, hasBlocks } from './reorg-check.ts'
import { NOTHING_UNCONFIRMED, type Unconfirmed } from './unconfirmed.ts'
import { VAULT_REPLACED } from './watched-vault.ts'

/**
 * Releases the locked amounts of expired vouchers.
 *
 * @param at the watcher's cursor: a final block, up to which every payment is booked.
 * @param isStill checks that the chain still has that block.
 */
export type ExpireDue = (at: ChainBlock, isStill: () => Promise<boolean>) => Promise<void>

export interface WatcherOptions {
  readonly chain: Chain
  readonly db: Database
  readonly writer: Writer
  readonly rules: MovementRules
  /**
   * Finds the account that signed the ledger's last voucher, in lower case, if the ledger has lost the voucher of one of these
   * payouts. Absent in a ledger without transfers out.
   */
  readonly findLostSigner?: (nonces: readonly bigint[]) => Promise<string | undefined>
  /** Called after each pass that has read up to the last confirmed block. */
  readonly expireDue: ExpireDue
  /** Features that book something of the blocks that the cursor passes. */
  readonly followers?: readonly CursorFollower[]
  readonly confirmations: number
  /** The block that the vault was deployed in: nothing can have been paid before. */
  readonly startBlock: bigint
  readonly pollMs: number
  /** Receives each step of the cursor. */
  readonly onBooked?: (step: BookedStep) => void
  readonly onError: Report
}

/** A step of the watcher's cursor. */
export interface BookedStep {
  /** The number of the last block that is booked. */
  readonly block: bigint
  /** True if the chain has more blocks to read now. */
  readonly isBehind: boolean
  /** Numbers of deposits that were credited and of transfers out that were completed. */
  readonly credited: number
  readonly completed: number
}

/**
 * Reads payments to and by the vault from the chain, books them once they are confirmed, and has the amounts of expired
 * vouchers released. It knows no feature: `rules` define the purposes of payments.
 */
export interface Watcher {
  start(): void
  stop(): Promise<void>
  /** Reads up to the chain's head now. Tests and the local controls call it instead of waiting. */
  poll(): Promise<void>
  /** Reads the payments from and to that wallet that are on the chain but not confirmed. The same on every server. */
  unconfirmedOf(userId: string): Promise<Unconfirmed>
  /** @throws NotReady when the watcher has halted, or the chain cannot be read now. */
  lookUp(txHash: string): Promise<LookedUp>
  /**
   * The reason why the watcher books nothing until an operator acts: the chain lost a block whose payments were credited, or
   * the ledger has moved to another vault than this server's.
   */
  readonly halted: string | undefined
}

export function createWatcher(options: WatcherOptions): Watcher {
  const { chain, expireDue, pollMs, onError } = options
  const alarms = createChainAlarms((error) => onError(error, 'watcher'))
  const books = openBooks(options)
  let running: Promise<readonly string[]> | undefined
  let stopped = false

  async function passes(): Promise<readonly string[]> {
    const credited: string[] = []
    try {
      for (let isBehind = true; isBehind && !stopped; ) {
        const done = await books.pass()
        credited.push(...done.credited)
        isBehind = done.isBehind
        // Only while the cursor is near the head: a node without history can only serve the last blocks.
        const { readTo } = done
        if (readTo) await expireDue(readTo, () => hasBlocks(chain, [readTo]))
      }
      alarms.passed()
    } catch (error) {
      alarms.raise(error)
    }
    return credited
  }

  /** Reads up to the current head or a later one. Returns the ids of the newly credited payments. */
  async function catchUp(): Promise<readonly string[]> {
    // The running pass may have read the head before this call.
    await running
    running ??= passes().finally(() => {
      running = undefined
    })
    return running
  }

  const timer = repeat({
    run: async () => void (await catchUp()),
    everyMs: pollMs,
    onError: (error) => onError(error, 'watcher'),
  })

  return {
    get halted() {
      return books.halted
    },
    start: timer.start,
    async stop() {
      stopped = true
      await timer.stop()
      await running
    },
    poll: async () => void (await catchUp()),
    unconfirmedOf: (userId) => readUnconfirmed(options.db, chain.id, userId),
    async lookUp(txHash) {
      try {
        return await lookUp({ ...options, catchUp, books }, txHash)
      } catch (error) {
        if (!isChainTrouble(error)) throw error
        alarms.raise(error)
        throw new NotReady('the chain cannot be read', { cause: error, part: 'chain' })
      }
    },
  }
}

/** The result of one pass. */
interface Pass {
  /** Ids of the payments that it has credited. */
  readonly credited: readonly string[]
  /** True if there is more to read immediately. */
  readonly isBehind: boolean
  /** The cursor's block, if the chain has it and everything that is confirmed is read. */
  readonly readTo?: ChainBlock | undefined
}

const IDLE: Pass = { credited: [], isBehind: false }

type WatcherBooks = ReturnType<typeof openBooks>

/** The watcher's cursor, its bookings, and the unconfirmed movements that it shares with other servers. */
function openBooks(options: WatcherOptions) {
  const { chain, db, writer, rules, findLostSigner, confirmations, startBlock, onBooked, onError } = options
  const cursorCheck = createCursorCheck(chain, onError)
  const pending = createPendingMovements(db, chain.id)
  let replaced: string | undefined

  /** Shares what is not confirmed. A failure never stops the booking of what is. */
  async function share(found: UnconfirmedMovements): Promise<void> {
    await pending.replace(found).catch((error) => onError(error, 'watcher'))
  }

  /** Books confirmed movements, and reports payouts without an order and deposits into replaced vaults. */
  async function book(confirmed: ChainMovements, move?: CursorMove): Promise<Booked> {
    const signer = await findLostSigner?.(confirmed.withdrawals.map(({ nonce }) => nonce))
    const command = bookMovements(rules, confirmed, move, signer)
    const booked = await writer.execute(command).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.data.reason !== VAULT_REPLACED) throw error
      replaced = `the ledger has moved to another vault than ${rules.vault}: start this server with the new configuration`
      onError(new Error(replaced), 'watcher halted')
      throw new NotReady(replaced)
    })
    const { unknown, stranded } = booked
    for (const { id, reason } of unknown) onError(new Error(`the vault's payment ${id}: ${reason}`), 'withdrawals')
    for (const { deposit } of stranded.filter(({ isNew }) => isNew))
      onError(new Error(strandedText(deposit)), 'stranded deposit')
    return booked
  }

  async function bookReading({ confirmed, next, isBehind }: Reading, cursor: ChainBlock | undefined): Promise<Pass> {
    if (!next) return { ...IDLE, readTo: cursor }
    const bookings = await readBookings(options, { cursor, next })
    if (!(await isOneFork(chain, next, confirmed))) return IDLE
    const { credited, completed } = await book(confirmed, { from: cursor, to: next, bookings })
    onBooked?.({ block: next.number, isBehind, credited: credited.length, completed: completed.length })
    return { credited, isBehind, readTo: isBehind ? undefined : next }
  }

  return {
    book,
    cursor: () => readCursor(db, chain.id),
    get halted() {
      return replaced ?? cursorCheck.halted
    },
    /** Reads one range of blocks, and books it. */
    async pass(): Promise<Pass> {
      if (!writer.isWriting) {
        pending.forget()
        return IDLE
      }
      if (replaced !== undefined) return IDLE
      const cursor = await readCursor(db, chain.id)
      if (cursor && !(await cursorCheck.holds(cursor))) {
        await share(NOTHING_UNCONFIRMED)
        return IDLE
      }
      const reading = await readBlocks({ chain, confirmations, startBlock }, cursor)
      const done = await bookReading(reading, cursor)
      // Afterwards, so that a payment is shown as unconfirmed until it is booked.
      await share(reading.unconfirmed)
      return done
    },
  }
}

/** Reads the bookings of features for the blocks that the cursor passes. */
function readBookings(
  { followers = [], startBlock }: Pick<WatcherOptions, 'followers' | 'startBlock'>,
  { cursor, next }: { readonly cursor: ChainBlock | undefined; readonly next: ChainBlock },
): Promise<CursorBooking[]> {
  const range = { from: cursor ? cursor.number + 1n : startBlock, to: next.number }
  return Promise.all(followers.map((each) => each.read(range)))
}

function strandedText({ asset, units, account, txHash, replacedVault }: ChainDeposit): string {
  const amount = `${formatAmount({ asset, units })} ${asset}`
  return `the replaced vault ${replacedVault} received ${amount} of ${account} in ${txHash}: move and credit it`
}

/** Looks one transaction up now, and books its payments if they were missed. */
async function lookUp(
  watcher: Pick<WatcherOptions, 'chain' | 'confirmations'> & {
    readonly books: WatcherBooks
    readonly catchUp: () => Promise<readonly string[]>
  },
  txHash: string,
): Promise<LookedUp> {
  const { chain, confirmations, books, catchUp } = watcher
  const transaction = await chain.movementsOf(txHash)
  if (transaction.status !== 'mined') return { status: transaction.status }
  const { block, deposits, withdrawals, exits = [] } = transaction
  if (deposits.length + withdrawals.length + exits.length === 0) return { status: 'not_ours' }
  const head = await chain.head()
  const depth = Number(head.number - block.number + 1n)
  const shown = Math.max(0, Math.min(depth, confirmations))
  const found = { confirmations: shown, deposits, withdrawals }
  if (depth < confirmations) return { status: 'pending', ...found }
  // The watcher reads first. Only blocks up to its cursor are booked, so that a reorg which removes the payment, or moves
  // it to another log index, is always noticed and never booked twice.
  const byWatcher = new Set(await catchUp())
  if (books.halted) throw new NotReady(books.halted)
  const cursor = await books.cursor()
  if (!cursor || cursor.number < block.number || !(await hasBlocks(chain, [cursor, block]))) {
    return { status: 'pending', ...found }
  }
  const { credited, stranded } = await books.book({ deposits, withdrawals, exits })
  // The operator has to move the money of these to the vault first.
  if (stranded.length > 0 && credited.length === 0) return { status: 'pending', ...found }
  const isNew = credited.length > 0 || deposits.some((deposit) => byWatcher.has(movementId(chain.id, deposit)))
  return { status: isNew ? 'credited' : 'already', ...found }
}
