import { hash } from 'node:crypto'
import { Batch, type Outcome, type Waiting } from './batch.ts'
import { CommittedCache } from './book.ts'
import type { Admission, Command, Context, PlanCompletion } from './command.ts'
import { type Database, sqlState } from './database.ts'
import { GENESIS_HASH } from './entry-hash.ts'
import {
  countBatch,
  isStandby,
  LEASE_LOST,
  type Lease,
  LeaseLost,
  refreshLease,
  releaseLease,
  takeLease,
} from './lease.ts'
import { readTip, type Tip } from './reads.ts'
import { Refusal } from './refusal.ts'
import { batchStatements } from './write-batch.ts'
import { WriteHealth } from './write-health.ts'

/** Most commands in one transaction. */
const MAX_BATCH = 1024
/** Most batches in flight to the database: enough that it never waits for the next one. */
const MAX_WRITING = 3
/** Fewest commands that start another batch while one is in flight: a smaller one costs more in its commit than it saves. */
const MIN_PIPELINED_BATCH = 32
/** Most commands that may wait. Beyond it the writer rejects commands as "not ready" immediately, not after a long wait. */
const MAX_QUEUE = 65_536
const MAX_SERIALISATION_RETRIES = 5

/** How often the lease is renewed before it would expire. */
const BEATS_PER_LEASE = 3
/** Heartbeats in which another writer can take a lease that was handed over. Then the former leader takes it back. */
const BEATS_TO_TAKE_OVER = 2

export interface Clock {
  now(): Date
}

export interface WriterOptions {
  readonly db: Database
  readonly clock: Clock
  /** Returns unguessable text, new at each call: the seed of all ids of this writer. */
  readonly randomId: () => string
  /** Names this process in the lease. */
  readonly holder: string
  /** Time without a renewal after which another writer may take over. */
  readonly leaseTtlMs: number
  /** Takes the lease even when it is not free: for a database that only this process can reach. */
  readonly exclusive?: boolean
  /** Never takes the lease: another process writes. */
  readonly onlyFollows?: boolean
  /** Checks every command before its decision. */
  readonly admission?: Admission
  /** Adds rows to every plan. */
  readonly completion?: PlanCompletion
  /** Measures each batch that was written with at least one command. */
  readonly measure?: {
    /** A time in milliseconds that never goes back. */
    readonly nowMs: () => number
    readonly onBatch: (batch: WrittenBatch) => void
  }
  /** Receives bugs, lost leases and unreachable databases, with the step that failed. */
  readonly onError?: (error: unknown, task: string) => void
}

/** The size and the times of a batch. */
export interface WrittenBatch {
  readonly commands: number
  /** Time to load state and to decide all commands, in milliseconds. */
  readonly decideMs: number
  /** Time from the first statement to the commit, in milliseconds. */
  readonly writeMs: number
}

/** The database is unreachable or another process writes. The outcome is unknown: retry with the same idempotency key. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
  /** The part that is missing, if it is not the ledger: `chain`. */
  readonly part: string | undefined

  constructor(message: string, { part, ...options }: ErrorOptions & { readonly part?: string } = {}) {
    super(message, options)
    this.part = part
  }
}

/** A batch cannot be turned into statements: a bug of one of its commands. */
class Unwritable extends Error {
  override readonly name = 'Unwritable'
}

/** The lease is still ours, but the database did not confirm it after a lost connection. Nothing is written meanwhile. */
class LeaseInDoubt extends Error {
  override readonly name = 'LeaseInDoubt'
}

/** A bug in a command: nothing of it was written. The cause is for the log, never for the user. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** A batch in flight to the database. */
interface Writing {
  readonly batch: Batch
  /** Number of all batches once this one is committed. */
  readonly count: bigint
  /** Resolves with the fault, or `undefined` when the batch is committed. Never rejects. */
  readonly done: Promise<unknown>
}

/**
 * The ledger's one writer.
 *
 * It takes all waiting commands, decides them one after the other against state that only it changes, writes their outcomes
 * in one transaction, and responds only after the commit. So there is no lock to forget, and commands have the order of
 * their entries. While batches are being written, the writer decides the next one on top of them.
 */
export class Writer {
  #options: WriterOptions
  #lease: Lease | undefined
  /** The connection broke, and the database has not confirmed the lease since. */
  #isLeaseInDoubt = false
  /** Heartbeats since then. */
  #beatsInDoubt = 0
  readonly #health: WriteHealth
  /** Heartbeats until this writer may take the lease again, after it gave way. */
  #beatsToWait = 0
  #tip: Tip = { seq: 0n, hash: GENESIS_HASH, at: undefined }
  #cache = new CommittedCache()
  #queue: Waiting[] = []
  /** Resolves as soon as enough commands wait for another batch. */
  #enough: PromiseWithResolvers<void> | undefined
  #running: Promise<void> | undefined
  #closing = false
  #isHandingOver = false
  #heartbeat: NodeJS.Timeout | undefined
  #committedListeners = new Set<() => void>()
  #takenListeners = new Set<() => void>()
  #lostListeners = new Set<(reason: string | undefined) => void>()
  /** Makes ids unguessable; drawn once, because drawing costs more than deciding. */
  #secret: string
  /** Number of accepted commands: makes ids unique. */
  #taken = 0

  private constructor(options: WriterOptions) {
    this.#options = options
    this.#secret = options.randomId()
    this.#health = new WriteHealth(beatMsOf(options))
  }

  /** Opens the writer. It may not hold the lease yet and keeps trying, see {@link Writer.isWriting}. */
  static async open(options: WriterOptions): Promise<Writer> {
    const writer = new Writer(options)
    await writer.#takeLease()
    writer.#heartbeat = setInterval(() => void writer.#beat(), beatMsOf(options))
    writer.#heartbeat.unref()
    return writer
  }

  /** True while this writer holds the lease. */
  get isWriting(): boolean {
    return this.#lease !== undefined && !this.#closing && !this.#isHandingOver
  }

  /** True while batches with commands fail: from the third in a row, or after five seconds, until one succeeds. */
  get isFailing(): boolean {
    return this.#health.isFailing
  }

  /** The number of commands that wait for a batch. */
  get queueLength(): number {
    return this.#queue.length
  }

  /** Calls `listener` after each batch that changed something. Returns a function that removes the listener. */
  onCommitted(listener: () => void): () => void {
    this.#committedListeners.add(listener)
    return () => this.#committedListeners.delete(listener)
  }

  /** Calls `listener` each time this writer takes the lease, so that it resumes the work of the writer before it. */
  onLeaseTaken(listener: () => void): void {
    this.#takenListeners.add(listener)
  }

  /**
   * Calls `listener` each time this writer loses the lease, with the reason, and without one when {@link Writer.handOver} has
   * released it. Not when {@link Writer.close} releases it.
   */
  onLeaseLost(listener: (reason: string | undefined) => void): void {
    this.#lostListeners.add(listener)
  }

  /**
   * Queues a command and resolves with its response once it is committed.
   *
   * @throws Refusal when the rules do not allow it (also when the same key had another payload: `conflict`).
   * @throws NotReady when this process cannot write now; repeat with the same idempotency key.
   * @throws CommandFailed when the command has a bug; nothing was written.
   */
  execute<Result>(command: Command<Result>): Promise<Result> {
    const reason = this.#reasonToRefuse(1)
    if (reason) return Promise.reject(new NotReady(reason))
    const response = this.#enqueue(command, this.#options.clock.now(), this.#queue)
    this.#wake()
    return response
  }

  /**
   * Queues commands before all that wait, in their order: for work that a commit made due, which no later command may
   * overtake. Commands that are being decided already keep their place. Call it in a listener of {@link Writer.onCommitted}
   * to precede all commands that are decided after that commit.
   *
   * @returns one response for each command, as {@link Writer.execute} does.
   */
  executeFirst<Result>(commands: readonly Command<Result>[]): Promise<Result>[] {
    const reason = this.#reasonToRefuse(commands.length)
    if (reason) return commands.map(() => Promise.reject(new NotReady(reason)))
    const now = this.#options.clock.now()
    const first: Waiting[] = []
    const responses = commands.map((command) => this.#enqueue(command, now, first))
    this.#queue.unshift(...first)
    if (first.length > 0) this.#wake()
    return responses
  }

  /** Returns the committed units of an account, if they are in memory. */
  committedBalance(account: string, asset: string): bigint | undefined {
    return this.#cache.balances.get(asset, account)
  }

  /** @returns why no further commands can be queued; undefined if they can. */
  #reasonToRefuse(count: number): string | undefined {
    if (!this.isWriting) return 'this process does not hold the writer lease'
    return this.#queue.length + count > MAX_QUEUE ? 'too many commands are waiting' : undefined
  }

  #enqueue<Result>(command: Command<Result>, now: Date, queue: Waiting[]): Promise<Result> {
    const seed = `${this.#secret}:${this.#taken++}`
    const context: Context = { now, id: (label) => hash('sha256', `${seed}:${label}`).slice(0, 32) }
    return new Promise<Result>((resolve, reject) => {
      queue.push({ command, context, resolve: resolve as (response: unknown) => void, reject })
    })
  }

  #wake(): void {
    if (this.#queue.length >= MIN_PIPELINED_BATCH) this.#enough?.resolve()
    this.#run()
  }

  /** Responds to the waiting commands, then releases the lease. */
  async close(): Promise<void> {
    this.#closing = true
    clearInterval(this.#heartbeat)
    while (this.#running) await this.#running
    if (this.#lease) await releaseLease(this.#options.db, this.#lease).catch(() => {})
    this.#lease = undefined
  }

  /**
   * Responds to the waiting commands, then releases the lease for another writer. If no other one takes it within
   * {@link BEATS_TO_TAKE_OVER} heartbeats, this writer takes it back.
   */
  async handOver(): Promise<void> {
    this.#isHandingOver = true
    try {
      while (this.#running) await this.#running
      const lease = this.#lease
      if (!lease || this.#closing) return
      this.#beatsToWait = BEATS_TO_TAKE_OVER
      this.#dropLease()
      // Without it, the lease expires.
      await releaseLease(this.#options.db, lease).catch(() => {})
      for (const listener of this.#lostListeners) listener(undefined)
    } finally {
      this.#isHandingOver = false
    }
  }

  #nowMs(): number {
    return this.#options.measure?.nowMs() ?? 0
  }

  #run(): void {
    if (this.#running) return
    this.#running = this.#drain().finally(() => {
      this.#running = undefined
      if (this.#queue.length > 0) this.#run()
    })
  }

  /**
   * Decides one batch after the other and sends each to the database, on top of those that are still being written. If one
   * of those fails, the batches on top of it are void and their commands go back to the head of the queue.
   */
  async #drain(): Promise<void> {
    // One turn of the event loop lets requests that arrived together share a transaction.
    await new Promise((resolve) => setImmediate(resolve))
    const writing: Writing[] = []
    while (this.#queue.length > 0 || writing.length > 0) {
      const oldest = writing[0]
      if (oldest && !this.#canPipeline(writing.length)) {
        if (!(await this.#isDone(oldest, writing.length))) continue
        writing.shift()
        const fault = await oldest.done
        if (fault !== undefined)
          await this.#recover(oldest.batch.waiting, fault, await this.#collectVoided(writing.splice(0)))
        continue
      }
      if (!this.#lease) {
        // Without the lease nothing can be written, so loading state would only delay the rejection.
        rejectAll(this.#queue.splice(0), new NotReady('this process does not hold the writer lease'))
        continue
      }
      if (this.#isLeaseInDoubt && !(await this.#confirmLease())) {
        rejectAll(this.#queue.splice(0), new NotReady('the database is unreachable'))
        continue
      }
      const batch = this.#newBatch(writing.at(-1)?.batch)
      await batch.decide(this.#queue.splice(0, this.#chooseSize(writing.length)))
      if (batch.fault === undefined) writing.push(this.#send(batch, writing.at(-1)))
      else await this.#recoverUndecided(batch, writing.splice(0))
    }
  }

  #newBatch(before?: Batch): Batch {
    const { db, admission, completion } = this.#options
    return new Batch({
      db,
      admission,
      completion,
      cache: this.#cache,
      tip: this.#tip,
      before,
      startedMs: this.#nowMs(),
    })
  }

  /** True if the waiting commands go into another batch, on top of `writing` batches in flight. */
  #canPipeline(writing: number): boolean {
    return writing < MAX_WRITING && this.#queue.length >= MIN_PIPELINED_BATCH
  }

  /** Waits until a batch is written or, if another one may start, enough commands wait for it. Resolves true if written. */
  async #isDone({ done }: Writing, writing: number): Promise<boolean> {
    if (writing === MAX_WRITING) return done.then(() => true)
    this.#enough = Promise.withResolvers()
    const isDone = await Promise.race([done.then(() => true), this.#enough.promise.then(() => false)])
    this.#enough = undefined
    return isDone
  }

  /**
   * Chooses the size of the next batch. While nothing is being written, half of a long queue waits: those commands are
   * decided while the first half is written. Otherwise the database and this process would take turns waiting.
   */
  #chooseSize(writing: number): number {
    const half = Math.max(MIN_PIPELINED_BATCH, Math.ceil(this.#queue.length / 2))
    return writing > 0 ? MAX_BATCH : Math.min(MAX_BATCH, half)
  }

  /** Writes a batch after the one before it. If that one fails, this one fails too. */
  #send(batch: Batch, before?: Writing): Writing {
    const count = (before?.count ?? this.#lease?.batch ?? 0n) + 1n
    return { batch, count, done: this.#write(batch, count, before?.done) }
  }

  /** Writes the decisions of a batch and responds to its commands. Resolves with the fault, if there was one. */
  async #write(batch: Batch, count: bigint, before?: Promise<unknown>): Promise<unknown> {
    const lease = this.#lease
    if (!lease) return new LeaseLost()
    const sentMs = this.#nowMs()
    try {
      const statements = buildStatements(batch)
      await this.#options.db.commitInOrder([countBatch(lease, count - 1n), ...statements])
    } catch (error) {
      return error ?? new Error('the batch failed')
    }
    // This batch is committed, so the one before it is too. Its commands must get their responses first.
    const faultBefore = await before
    // The response to the batch before was lost, so its changes are not in memory and this outcome is in doubt as well.
    if (faultBefore !== undefined) return faultBefore
    const commands = batch.waiting.length
    const times = { decideMs: sentMs - batch.startedMs, writeMs: this.#nowMs() - sentMs }
    if (commands > 0) {
      this.#health.noteSuccess()
      this.#options.measure?.onBatch({ commands, ...times })
    }
    lease.batch = count
    this.#tip = batch.book.tip
    batch.commitToCache()
    for (const { waiting, decision } of batch.decided) {
      if ('bug' in decision) this.#rejectAsBug(waiting, decision.bug)
      else settle(waiting, decision.outcome)
    }
    if (batch.book.changedRows.size > 0 || batch.book.entries.length > 0) this.#notifyListeners()
    return undefined
  }

  /** Waits for the batches that are void because the one before them failed. Returns their commands. */
  async #collectVoided(writing: readonly Writing[]): Promise<Waiting[]> {
    await Promise.all(writing.map(({ done }) => done))
    return writing.flatMap(({ batch }) => batch.waiting)
  }

  /** Recovers a batch whose state could not be loaded, after the batches before it have ended. */
  async #recoverUndecided(batch: Batch, writing: Writing[]): Promise<void> {
    for (let each = writing.shift(); each; each = writing.shift()) {
      const fault = await each.done
      if (fault === undefined) continue
      return this.#recover(each.batch.waiting, fault, [...(await this.#collectVoided(writing)), ...batch.waiting])
    }
    await this.#recover(batch.waiting, batch.fault)
  }

  /**
   * Handles the fault of a batch until each of its commands has a response.
   *
   * @param after commands of the batches behind it, which are void with it.
   */
  async #recover(waiting: readonly Waiting[], fault: unknown, after: readonly Waiting[] = []): Promise<void> {
    // A broken connection does not show which of its batches were committed.
    if (classifyFault(fault) === 'away') return this.#resolveDoubt([...waiting, ...after], fault)
    this.#queue.unshift(...after)
    for (let retries = 0; ; retries++) {
      // Memory caches committed state, and committed state is now in doubt.
      this.#cache.clear()
      switch (classifyFault(fault)) {
        case 'lease_lost':
          this.#loseLease(fault)
          return rejectAll(waiting, new NotReady('another process holds the writer lease'))
        case 'in_doubt':
          return rejectAll(waiting, new NotReady('the database is unreachable'))
        case 'away':
          return this.#resolveDoubt(waiting, fault)
        case 'conflict':
          if (retries < MAX_SERIALISATION_RETRIES) break
          this.#options.onError?.(fault, 'batch failed: too many serialization conflicts')
          this.#noteFailure(waiting)
          return rejectAll(waiting, new NotReady('the database is too busy'))
        case 'bug': {
          const [only, ...others] = waiting
          if (only && others.length === 0) return this.#rejectAsBug(only, fault)
          // The bug shows only when the batch is written. Retry one by one to find its command; the others succeed.
          this.#options.onError?.(fault, 'batch rejected, retrying one by one')
          for (const each of waiting) await this.#runAlone([each])
          return
        }
      }
      fault = await this.#attempt(waiting)
      if (fault === undefined) return
    }
  }

  async #runAlone(waiting: readonly Waiting[]): Promise<void> {
    const fault = await this.#attempt(waiting)
    if (fault !== undefined) await this.#recover(waiting, fault)
  }

  /** Decides and writes commands in a batch of their own. Resolves with the fault, if there was one. */
  async #attempt(waiting: readonly Waiting[]): Promise<unknown> {
    if (!this.#lease) return new LeaseLost()
    if (this.#isLeaseInDoubt) return new LeaseInDoubt('the database has not confirmed the lease')
    const batch = this.#newBatch()
    await batch.decide(waiting)
    return batch.fault ?? (await this.#send(batch).done)
  }

  #notifyListeners(): void {
    for (const listener of this.#committedListeners) listener()
  }

  #rejectAsBug(waiting: Waiting, error: unknown): void {
    this.#options.onError?.(error, `command ${waiting.command.kind}`)
    waiting.reject(new CommandFailed(`command ${waiting.command.kind} failed`, { cause: error }))
  }

  /**
   * Recovers after the connection broke, perhaps between a commit and its response. The lease row has the number of
   * committed batches. Their responses are lost; a client that repeats its idempotency key gets the stored one.
   */
  async #resolveDoubt(waiting: readonly Waiting[], error: unknown): Promise<void> {
    this.#cache.clear()
    this.#options.onError?.(error, 'batch with unknown outcome')
    this.#isLeaseInDoubt = true
    this.#beatsInDoubt = 0
    const isConfirmed = await this.#confirmLease()
    this.#noteFailure(waiting)
    const reason = isConfirmed
      ? 'the database connection broke; retry with the same idempotency key'
      : 'the database is unreachable'
    rejectAll(waiting, new NotReady(reason))
  }

  /**
   * Renews the lease after a lost connection and reads which batches were committed. While the database is unreachable, the
   * writer keeps the lease until it may have expired, and writes nothing.
   *
   * @returns whether this writer may go on.
   */
  async #confirmLease(): Promise<boolean> {
    const { db, holder } = this.#options
    const before = this.#lease
    if (!before) return false
    try {
      const lease = await refreshLease(db, { ...before, holder })
      if (!lease) {
        this.#loseLease(new LeaseLost())
        return false
      }
      const tip = await readTip(db)
      // Given up meanwhile.
      if (this.#lease !== before) return false
      this.#tip = tip
      this.#lease = lease
      this.#isLeaseInDoubt = false
      if (lease.batch > before.batch) this.#notifyListeners()
      return true
    } catch {
      return false
    }
  }

  /**
   * Counts a failed batch. A writer that keeps failing gives way: another one may reach the database, or have room on its disk.
   */
  #noteFailure(waiting: readonly Waiting[]): void {
    if (waiting.length === 0) return
    this.#health.noteFailure()
    const { db, exclusive = false } = this.#options
    const lease = this.#lease
    if (exclusive || !lease || !this.#health.isFailing) return
    this.#beatsToWait = this.#health.nextWait()
    this.#loseLease(new LeaseLost('gave the writer lease up, because batches keep failing'))
    // Without it, the lease expires.
    releaseLease(db, lease).catch(() => {})
  }

  #loseLease(error: unknown): void {
    this.#options.onError?.(error, 'writer lease lost')
    this.#dropLease()
    const reason = error instanceof Error ? error.message : String(error)
    for (const listener of this.#lostListeners) listener(reason)
  }

  #dropLease(): void {
    this.#lease = undefined
    this.#isLeaseInDoubt = false
    this.#cache.clear()
  }

  async #takeLease(): Promise<void> {
    const { db, holder, leaseTtlMs, exclusive = false, onlyFollows = false, onError } = this.#options
    if (onlyFollows) return
    // Such as a former primary at the end of a failover.
    if (!exclusive && (await isStandby(db)))
      return onError?.(new Error('the database is a standby, which no server writes to'), 'writer lease')
    const lease = await takeLease(db, { holder, ttlMs: leaseTtlMs, force: exclusive })
    if (!lease) {
      // Another process writes.
      this.#health.noteSuccess()
      return
    }
    this.#cache.clear()
    const tip = await readTip(db)
    this.#tip = tip
    this.#lease = lease
    for (const listener of this.#takenListeners) listener()
  }

  /** Renews the lease while nothing is written, and tries to take it while another writer holds it. */
  async #beat(): Promise<void> {
    if (this.#closing) return
    this.#health.noteBeat()
    // The lease may have expired by now. The timer counts, because no clock of the machine can be trusted with it.
    if (this.#isLeaseInDoubt && ++this.#beatsInDoubt >= BEATS_PER_LEASE) this.#loseLease(new LeaseInDoubt('expired'))
    if (this.#running) return
    this.#running = this.#renewOrTakeLease()
      .catch((error) => this.#options.onError?.(error, 'writer lease'))
      .finally(() => {
        this.#running = undefined
        if (this.#queue.length > 0) this.#run()
      })
  }

  async #renewOrTakeLease(): Promise<void> {
    if (!this.#lease && this.#beatsToWait > 0) {
      this.#beatsToWait--
      return
    }
    if (!this.#lease) return this.#takeLease()
    if (this.#isLeaseInDoubt) await this.#confirmLease()
    else await this.#runAlone([])
  }
}

function beatMsOf({ leaseTtlMs }: WriterOptions): number {
  return Math.max(50, Math.floor(leaseTtlMs / BEATS_PER_LEASE))
}

/** Classifies the fault of a batch by the recovery that it needs. */
function classifyFault(error: unknown): 'lease_lost' | 'in_doubt' | 'conflict' | 'away' | 'bug' {
  if (error instanceof LeaseLost) return 'lease_lost'
  if (error instanceof LeaseInDoubt) return 'in_doubt'
  if (error instanceof Unwritable) return 'bug'
  const state = sqlState(error)
  if (state === LEASE_LOST) return 'lease_lost'
  if (state === '40001' || state === '40P01') return 'conflict'
  // No code means a broken connection. The classes: connection, transaction state (a server that turned read-only, a
  // transaction that idled too long), resources, operator intervention, input and output.
  if (state === undefined || /^(08|25|53|57|58)/.test(state)) return 'away'
  return 'bug'
}

function buildStatements(batch: Batch) {
  try {
    return batchStatements(batch.book, [...batch.responses.values()])
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
