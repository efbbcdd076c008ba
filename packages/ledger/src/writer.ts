import { hash } from 'node:crypto'
import { Batch, type Outcome, type Waiting } from './batch.ts'
import { CommittedCache } from './book.ts'
import type { Command, Context } from './command.ts'
import { type Database, sqlState } from './database.ts'
import { isNextBatchCommitted, type Lease, LeaseLost, readTip, releaseLease, renewLease, takeLease } from './lease.ts'
import { Refusal } from './refusal.ts'
import { batchStatements } from './write-batch.ts'

/** How many commands one transaction takes at most. */
const MAX_BATCH = 1024
/** Fewer commands than this go in one batch: two would cost a commit more than they save. */
const WORTH_SPLITTING = 32
/** How many commands may wait. Beyond it the answer is "not ready" at once rather than late. */
const MAX_QUEUE = 65_536
const MAX_SERIALISATION_RETRIES = 5

export interface Clock {
  now(): Date
}

export interface WriterOptions {
  readonly db: Database
  readonly clock: Clock
  /** Unguessable text, new at each call; the seed of all ids that this writer gives. */
  readonly randomId: () => string
  /** Names this process in the lease. */
  readonly holder: string
  /** After how long without a sign of life another writer may take over. */
  readonly leaseTtlMs: number
  /** Takes the lease in any case: for a database that only this process can reach. */
  readonly exclusive?: boolean
  /** Told of bugs, of a lost lease, of a database that is away. */
  readonly onError?: (error: unknown, doing: string) => void
}

/** The ledger could not be reached or is written by another: nothing is known to have happened, try again. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
}

/** What a batch decided cannot even be put into statements: a bug of one of its commands. */
class Unwritable extends Error {
  override readonly name = 'Unwritable'
}

/** A bug in a command: nothing of it was written. The cause is for the log, never for the user. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** A batch on its way into the database. */
interface Writing {
  readonly batch: Batch
  /** What went wrong, or `undefined` when it is committed. Never rejects. */
  readonly done: Promise<unknown>
}

/**
 * The ledger's one writer.
 *
 * It takes all commands that wait, decides them one after the other against state that it alone changes, writes the
 * outcome of all in one transaction, and answers only after its commit. So there is no lock to forget, and the order
 * of commands is the order of the entries. While one batch is written the next is decided, on top of it.
 */
export class Writer {
  #options: WriterOptions
  #lease: Lease | undefined
  #tip = { seq: 0n, hash: new Uint8Array(32) as Uint8Array }
  #cache = new CommittedCache()
  #queue: Waiting[] = []
  /** Resolved by the next command, while a batch waits for more. */
  #arrived: PromiseWithResolvers<void> | undefined
  #running: Promise<void> | undefined
  #closing = false
  #lastTimeMs = 0
  #heartbeat: NodeJS.Timeout | undefined
  #committedListeners = new Set<() => void>()
  #takenListeners = new Set<() => void>()
  /** Makes ids unguessable; drawn once, because drawing costs more than deciding. */
  #secret: string
  /** How many commands were taken: makes ids unique. */
  #taken = 0

  private constructor(options: WriterOptions) {
    this.#options = options
    this.#secret = options.randomId()
  }

  /** Opens the writer. It may not hold the lease yet; it goes on trying, see {@link Writer.isWriting}. */
  static async open(options: WriterOptions): Promise<Writer> {
    const writer = new Writer(options)
    await writer.#takeLease()
    writer.#heartbeat = setInterval(() => void writer.#beat(), Math.max(50, Math.floor(options.leaseTtlMs / 3)))
    writer.#heartbeat.unref()
    return writer
  }

  /** Whether this writer holds the lease. */
  get isWriting(): boolean {
    return this.#lease !== undefined && !this.#closing
  }

  /** Calls `listener` after each batch that changed something. Answers how to stop that. */
  onCommitted(listener: () => void): () => void {
    this.#committedListeners.add(listener)
    return () => this.#committedListeners.delete(listener)
  }

  /** Calls `listener` whenever this writer has taken the lease from now on: it now does what the one before left undone. */
  onLeaseTaken(listener: () => void): void {
    this.#takenListeners.add(listener)
  }

  /**
   * Asks for a change and answers once it is committed.
   *
   * @throws Refusal when the rules do not allow it (also when the same key had another payload: `conflict`).
   * @throws NotReady when this process cannot write now; repeat with the same idempotency key.
   * @throws CommandFailed when the command has a bug; nothing was written.
   */
  execute<Answer>(command: Command<Answer>): Promise<Answer> {
    if (!this.isWriting) return Promise.reject(new NotReady('this process does not hold the writer lease'))
    if (this.#queue.length >= MAX_QUEUE) return Promise.reject(new NotReady('too many commands are waiting'))
    const seed = `${this.#secret}:${this.#taken++}`
    const context: Context = {
      now: this.#monotonicNow(),
      id: (label) => hash('sha256', `${seed}:${label}`).slice(0, 32),
    }
    return new Promise<Answer>((resolve, reject) => {
      this.#queue.push({ command, context, resolve: resolve as (answer: unknown) => void, reject })
      this.#arrived?.resolve()
      this.#run()
    })
  }

  /** Ends after the commands that wait are answered, and gives the lease back. */
  async close(): Promise<void> {
    this.#closing = true
    clearInterval(this.#heartbeat)
    while (this.#running) await this.#running
    if (this.#lease) await releaseLease(this.#options.db, this.#lease).catch(() => {})
    this.#lease = undefined
  }

  /** Entries must not go back in time, even when the machine's clock does. */
  #monotonicNow(): Date {
    this.#lastTimeMs = Math.max(this.#lastTimeMs, this.#options.clock.now().getTime())
    return new Date(this.#lastTimeMs)
  }

  #run(): void {
    if (this.#running) return
    this.#running = this.#drain().finally(() => {
      this.#running = undefined
      if (this.#queue.length > 0) this.#run()
    })
  }

  /**
   * Decides one batch while the one before it is being written, and writes it when that one is committed. What is
   * decided so is void if that one fails: its commands go back to the head of the queue.
   */
  async #drain(): Promise<void> {
    // One turn of the event loop lets requests that arrived together share a transaction.
    await new Promise((resolve) => setImmediate(resolve))
    let before: Writing | undefined
    for (;;) {
      const batch = this.#newBatch(before)
      await this.#fill(batch, before)
      const fault = await before?.done
      if (before && fault !== undefined) {
        this.#queue.unshift(...batch.waiting)
        await this.#recover(before.batch.waiting, fault)
        before = undefined
      } else if (batch.fault !== undefined) {
        await this.#recover(batch.waiting, batch.fault)
        before = undefined
      } else if (batch.waiting.length > 0) {
        before = { batch, done: this.#write(batch) }
      } else return
    }
  }

  #newBatch(before?: Writing): Batch {
    return new Batch({ db: this.#options.db, cache: this.#cache, tip: this.#tip, before: before?.batch })
  }

  /** Decides what waits, and what arrives until the batch before is committed or has failed. */
  async #fill(batch: Batch, before: Writing | undefined): Promise<void> {
    let isWritten = before === undefined
    const written = before?.done.then(() => {
      isWritten = true
    })
    do {
      const taken = this.#queue.splice(0, this.#share(before !== undefined) - batch.waiting.length)
      if (taken.length > 0) await batch.decide(taken)
      else {
        this.#arrived = Promise.withResolvers()
        await Promise.race([written, this.#arrived.promise])
        this.#arrived = undefined
      }
    } while (!isWritten && batch.fault === undefined && batch.waiting.length < MAX_BATCH)
  }

  /**
   * How many commands a batch takes. While nothing is being written it leaves half of many behind: they are decided while
   * the others are written, where otherwise the database and this process would wait for each other in turn.
   */
  #share(isWriting: boolean): number {
    const half = Math.max(WORTH_SPLITTING, Math.ceil(this.#queue.length / 2))
    return isWriting ? MAX_BATCH : Math.min(MAX_BATCH, half)
  }

  /** Writes what a batch has decided and answers its commands. Answers what went wrong, if anything did. */
  async #write(batch: Batch): Promise<unknown> {
    const lease = this.#lease
    if (!lease) return new LeaseLost()
    try {
      const statements = statementsOf(batch)
      await this.#options.db.transaction(async (tx) => {
        // They run in this order, but none waits for the answer of the one before.
        const renewed = renewLease(tx, lease)
        const written = Promise.all(statements.map(({ text, params }) => tx.query(text, params)))
        written.catch(() => {})
        await renewed
        await written
      })
    } catch (error) {
      return error ?? new Error('the batch failed')
    }
    lease.batch += 1n
    this.#tip = batch.book.tip
    batch.book.commitToCache()
    for (const { waiting, decision } of batch.decided) {
      if ('bug' in decision) this.#failed(waiting, decision.bug)
      else settle(waiting, decision.outcome)
    }
    if (batch.book.changedRows.size > 0 || batch.book.entries.length > 0) this.#tellListeners()
    return undefined
  }

  /** Does what the fault of a batch calls for, until each of its commands is answered. */
  async #recover(waiting: readonly Waiting[], fault: unknown): Promise<void> {
    for (let retries = 0; ; retries++) {
      // Memory is only a cache of what is committed, and what is committed is now in doubt.
      this.#cache.clear()
      switch (faultOf(fault)) {
        case 'lease_lost':
          this.#loseLease(fault)
          return rejectAll(waiting, new NotReady('the writer lease is held by another'))
        case 'away':
          return this.#resolveDoubt(waiting, fault)
        case 'conflict':
          if (retries < MAX_SERIALISATION_RETRIES) break
          this.#options.onError?.(fault, 'batch given up')
          return rejectAll(waiting, new NotReady('the database is too busy'))
        case 'bug': {
          const [only, ...others] = waiting
          if (only && others.length === 0) return this.#failed(only, fault)
          // A bug that showed only when all was written: find the command that has it, and let the others pass.
          this.#options.onError?.(fault, 'batch refused, going one by one')
          for (const each of waiting) await this.#alone([each])
          return
        }
      }
      fault = await this.#attempt(waiting)
      if (fault === undefined) return
    }
  }

  async #alone(waiting: readonly Waiting[]): Promise<void> {
    const fault = await this.#attempt(waiting)
    if (fault !== undefined) await this.#recover(waiting, fault)
  }

  /** Decides and writes commands by themselves. Answers what went wrong, if anything did. */
  async #attempt(waiting: readonly Waiting[]): Promise<unknown> {
    const batch = this.#newBatch()
    await batch.decide(waiting)
    return batch.fault ?? (await this.#write(batch))
  }

  #tellListeners(): void {
    for (const listener of this.#committedListeners) listener()
  }

  #failed(waiting: Waiting, error: unknown): void {
    this.#options.onError?.(error, `command ${waiting.command.kind}`)
    waiting.reject(new CommandFailed(`command ${waiting.command.kind} failed`, { cause: error }))
  }

  /**
   * The connection broke, perhaps between the commit and its answer. The batch number in the lease row says whether the
   * commit happened. If it did, the answers are lost but the outcome stands: whoever repeats with the same key gets it.
   */
  async #resolveDoubt(waiting: readonly Waiting[], error: unknown): Promise<void> {
    const lease = this.#lease
    this.#options.onError?.(error, 'batch with unknown outcome')
    try {
      if (!lease) throw error
      const committed = await isNextBatchCommitted(this.#options.db, lease)
      if (committed) lease.batch += 1n
      this.#tip = await readTip(this.#options.db)
      if (committed) this.#tellListeners()
      rejectAll(waiting, new NotReady('the database went away; repeat with the same idempotency key'))
    } catch (cause) {
      this.#loseLease(cause)
      rejectAll(waiting, new NotReady('the database is away'))
    }
  }

  #loseLease(error: unknown): void {
    this.#options.onError?.(error, 'writer lease lost')
    this.#lease = undefined
    this.#cache.clear()
  }

  async #takeLease(): Promise<void> {
    const { db, holder, leaseTtlMs, exclusive = false } = this.#options
    const lease = await takeLease(db, { holder, ttlMs: leaseTtlMs, force: exclusive })
    if (!lease) return
    this.#cache.clear()
    this.#tip = await readTip(db)
    const [last] = await db.query<{ at: Date }>('select at from entries order by seq desc limit 1')
    this.#lastTimeMs = last?.at.getTime() ?? 0
    this.#lease = lease
    for (const listener of this.#takenListeners) listener()
  }

  /** Keeps the lease while nothing is written, and asks for it while another has it. */
  async #beat(): Promise<void> {
    if (this.#closing || this.#running) return
    const beat = this.#lease ? this.#alone([]) : this.#takeLease()
    this.#running = beat
      .catch((error) => this.#options.onError?.(error, 'writer lease'))
      .finally(() => {
        this.#running = undefined
        if (this.#queue.length > 0) this.#run()
      })
  }
}

/** What a batch that failed calls for. */
function faultOf(error: unknown): 'lease_lost' | 'conflict' | 'away' | 'bug' {
  if (error instanceof LeaseLost) return 'lease_lost'
  if (error instanceof Unwritable) return 'bug'
  const state = sqlState(error)
  if (state === '40001' || state === '40P01') return 'conflict'
  // No code at all is a connection that broke. The classes: connection, transaction state (a server that turned
  // read-only, a transaction that idled too long), resources, operator's doing, input and output.
  if (state === undefined || /^(08|25|53|57|58)/.test(state)) return 'away'
  return 'bug'
}

function statementsOf(batch: Batch) {
  try {
    return batchStatements(batch.book, [...batch.answers.values()])
  } catch (cause) {
    throw new Unwritable('a batch cannot be written', { cause })
  }
}

function settle(waiting: Waiting, outcome: Outcome): void {
  if ('refusal' in outcome) waiting.reject(new Refusal(outcome.refusal, outcome.data))
  else waiting.resolve(outcome.ok)
}

function rejectAll(batch: readonly Waiting[], error: Error): void {
  for (const waiting of batch) waiting.reject(error)
}
