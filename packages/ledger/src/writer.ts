import { hash } from 'node:crypto'
import { Batch, type Outcome, type Waiting } from './batch.ts'
import { CommittedCache } from './book.ts'
import type { Command, Context } from './command.ts'
import { type Database, sqlState } from './database.ts'
import { countBatch, LEASE_LOST, type Lease, LeaseLost, refreshLease, releaseLease, takeLease } from './lease.ts'
import { readTip } from './reads.ts'
import { Refusal } from './refusal.ts'
import { batchStatements } from './write-batch.ts'

/** How many commands one transaction takes at most. */
const MAX_BATCH = 1024
/** How many batches are on their way into the database at most: so many that it need never wait for the next. */
const MAX_WRITING = 3
/** Fewer commands than this wait for the batch before: one of their own would cost a commit more than it saves. */
const WORTH_A_BATCH = 32
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
  /** How many batches there will be with it. */
  readonly count: bigint
  /** What went wrong, or `undefined` when it is committed. Never rejects. */
  readonly done: Promise<unknown>
}

/**
 * The ledger's one writer.
 *
 * It takes all commands that wait, decides them one after the other against state that it alone changes, writes the
 * outcome of all in one transaction, and answers only after its commit. So there is no lock to forget, and the order
 * of commands is the order of the entries. While batches are written the next is decided, on top of them.
 */
export class Writer {
  #options: WriterOptions
  #lease: Lease | undefined
  #tip = { seq: 0n, hash: new Uint8Array(32) as Uint8Array }
  #cache = new CommittedCache()
  #queue: Waiting[] = []
  /** Resolved as soon as enough commands wait for a batch of their own. */
  #enough: PromiseWithResolvers<void> | undefined
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
      if (this.#queue.length >= WORTH_A_BATCH) this.#enough?.resolve()
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
   * Decides one batch after the other and sends each on its way, on top of those that are still being written. What was
   * decided so is void if one of those fails: its commands go back to the head of the queue.
   */
  async #drain(): Promise<void> {
    // One turn of the event loop lets requests that arrived together share a transaction.
    await new Promise((resolve) => setImmediate(resolve))
    const writing: Writing[] = []
    while (this.#queue.length > 0 || writing.length > 0) {
      const oldest = writing[0]
      if (oldest && !this.#isWorthAnother(writing.length)) {
        if (!(await this.#isDone(oldest, writing.length))) continue
        writing.shift()
        const fault = await oldest.done
        if (fault !== undefined) await this.#recover(oldest.batch.waiting, fault, await this.#voided(writing.splice(0)))
        continue
      }
      if (!this.#lease) {
        // Without it nothing can be written: to look anything up could only make them wait.
        rejectAll(this.#queue.splice(0), new NotReady('this process does not hold the writer lease'))
        continue
      }
      const batch = this.#newBatch(writing.at(-1)?.batch)
      await batch.decide(this.#queue.splice(0, this.#share(writing.length)))
      if (batch.fault === undefined) writing.push(this.#send(batch, writing.at(-1)))
      else await this.#recoverUndecided(batch, writing.splice(0))
    }
  }

  #newBatch(before?: Batch): Batch {
    return new Batch({ db: this.#options.db, cache: this.#cache, tip: this.#tip, before })
  }

  /** Whether what waits goes into a batch of its own, on top of so many that are being written. */
  #isWorthAnother(writing: number): boolean {
    return writing < MAX_WRITING && this.#queue.length >= WORTH_A_BATCH
  }

  /** Waits until a batch is written or, where there may be another, enough wait for one. Answers whether it is written. */
  async #isDone({ done }: Writing, writing: number): Promise<boolean> {
    if (writing === MAX_WRITING) return done.then(() => true)
    this.#enough = Promise.withResolvers()
    const isDone = await Promise.race([done.then(() => true), this.#enough.promise.then(() => false)])
    this.#enough = undefined
    return isDone
  }

  /**
   * How many commands a batch takes. While nothing is being written it leaves half of many behind: they are decided while
   * the others are written, where otherwise the database and this process would wait for each other in turn.
   */
  #share(writing: number): number {
    const half = Math.max(WORTH_A_BATCH, Math.ceil(this.#queue.length / 2))
    return writing > 0 ? MAX_BATCH : Math.min(MAX_BATCH, half)
  }

  /** Writes a batch after the one before it; where that fails, so does this one. */
  #send(batch: Batch, before?: Writing): Writing {
    const count = (before?.count ?? this.#lease?.batch ?? 0n) + 1n
    return { batch, count, done: this.#write(batch, count, before?.done) }
  }

  /** Writes what a batch has decided and answers its commands. Answers what went wrong, if anything did. */
  async #write(batch: Batch, count: bigint, before?: Promise<unknown>): Promise<unknown> {
    const lease = this.#lease
    if (!lease) return new LeaseLost()
    try {
      const statements = statementsOf(batch)
      await this.#options.db.commitInOrder([countBatch(lease, count - 1n), ...statements])
    } catch (error) {
      return error ?? new Error('the batch failed')
    }
    // It is committed, and so was the one before it: now that must have been told first.
    const faultBefore = await before
    // It was, but its answer was lost, and what it changed is not in memory: so this one's outcome is in doubt like its own.
    if (faultBefore !== undefined) return faultBefore
    lease.batch = count
    this.#tip = batch.book.tip
    batch.commitToCache()
    for (const { waiting, decision } of batch.decided) {
      if ('bug' in decision) this.#failed(waiting, decision.bug)
      else settle(waiting, decision.outcome)
    }
    if (batch.book.changedRows.size > 0 || batch.book.entries.length > 0) this.#tellListeners()
    return undefined
  }

  /** Waits for batches that cannot be written any more, because the one before them was not. Answers their commands. */
  async #voided(writing: readonly Writing[]): Promise<Waiting[]> {
    await Promise.all(writing.map(({ done }) => done))
    return writing.flatMap(({ batch }) => batch.waiting)
  }

  /** What a batch needed to know could not be read: that waits for those before it. */
  async #recoverUndecided(batch: Batch, writing: Writing[]): Promise<void> {
    for (let each = writing.shift(); each; each = writing.shift()) {
      const fault = await each.done
      if (fault === undefined) continue
      return this.#recover(each.batch.waiting, fault, [...(await this.#voided(writing)), ...batch.waiting])
    }
    await this.#recover(batch.waiting, batch.fault)
  }

  /**
   * Does what the fault of a batch calls for, until each of its commands is answered.
   *
   * @param after commands of the batches that were on their way behind it, and are void with it.
   */
  async #recover(waiting: readonly Waiting[], fault: unknown, after: readonly Waiting[] = []): Promise<void> {
    // Of a connection that broke nobody knows how much went through it.
    if (faultOf(fault) === 'away') return this.#resolveDoubt([...waiting, ...after], fault)
    this.#queue.unshift(...after)
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
    if (!this.#lease) return new LeaseLost()
    const batch = this.#newBatch()
    await batch.decide(waiting)
    return batch.fault ?? (await this.#send(batch).done)
  }

  #tellListeners(): void {
    for (const listener of this.#committedListeners) listener()
  }

  #failed(waiting: Waiting, error: unknown): void {
    this.#options.onError?.(error, `command ${waiting.command.kind}`)
    waiting.reject(new CommandFailed(`command ${waiting.command.kind} failed`, { cause: error }))
  }

  /**
   * The connection broke, perhaps between a commit and its answer. The lease row says how many batches are committed. Those
   * that are stand, though their answers are lost: whoever repeats with the same key gets them.
   */
  async #resolveDoubt(waiting: readonly Waiting[], error: unknown): Promise<void> {
    this.#cache.clear()
    this.#options.onError?.(error, 'batch with unknown outcome')
    try {
      const lease = this.#lease && (await refreshLease(this.#options.db, this.#lease))
      if (!lease) throw error
      const isCommitted = lease.batch > (this.#lease?.batch ?? 0n)
      this.#tip = await readTip(this.#options.db)
      this.#lease = lease
      if (isCommitted) this.#tellListeners()
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
    const tip = await readTip(db)
    this.#tip = tip
    this.#lastTimeMs = tip.at?.getTime() ?? 0
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
  if (state === LEASE_LOST) return 'lease_lost'
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
