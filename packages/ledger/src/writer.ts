import { createHash } from 'node:crypto'
import { Book, CommittedCache, NotLoaded } from './book.ts'
import type { Command, Context } from './command.ts'
import { type Database, type Queryable, sqlState } from './database.ts'
import { isNextBatchCommitted, type Lease, LeaseLost, readTip, releaseLease, renewLease, takeLease } from './lease.ts'
import { Refusal } from './refusal.ts'
import { batchStatements, type StoredAnswer } from './write-batch.ts'

/** How many commands one transaction takes at most. */
const MAX_BATCH = 1024
/** How many commands may wait. Beyond it the answer is "not ready" at once rather than late. */
const MAX_QUEUE = 65_536
const MAX_SERIALISATION_RETRIES = 5
/** How often one decision may ask for something that is not in memory before it counts as a bug. */
const MAX_LOADS_PER_DECISION = 64

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

type Outcome = { ok: unknown } | { refusal: string; data: Readonly<Record<string, unknown>> }

interface Waiting {
  readonly command: Command<unknown>
  readonly context: Context
  readonly payloadHash: string
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/** `json` is what is stored for the idempotency key. */
type Decision = { outcome: Outcome; json: string } | { bug: unknown }

/**
 * The ledger's one writer.
 *
 * It takes all commands that wait, decides them one after the other against state that it alone changes, writes the
 * outcome of all in one transaction, and answers only after its commit. So there is no lock to forget, and the order
 * of commands is the order of the entries.
 */
export class Writer {
  #options: WriterOptions
  #lease: Lease | undefined
  #tip = { seq: 0n, hash: new Uint8Array(32) as Uint8Array }
  #cache = new CommittedCache()
  #queue: Waiting[] = []
  #running: Promise<void> | undefined
  #closing = false
  #lastTimeMs = 0
  #heartbeat: NodeJS.Timeout | undefined
  #committedListeners = new Set<() => void>()
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
      id: (label) => createHash('sha256').update(`${seed}:${label}`).digest('hex').slice(0, 32),
    }
    return new Promise<Answer>((resolve, reject) => {
      this.#queue.push({
        command,
        context,
        payloadHash: createHash('sha256')
          .update(JSON.stringify([command.kind, command.payload]))
          .digest('hex'),
        resolve: resolve as (answer: unknown) => void,
        reject,
      })
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

  async #drain(): Promise<void> {
    // One turn of the event loop lets requests that arrived together share a transaction.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) await this.#executeBatch(this.#queue.splice(0, MAX_BATCH))
  }

  async #executeBatch(batch: Waiting[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const lease = this.#lease
      if (!lease) return rejectAll(batch, new NotReady('this process does not hold the writer lease'))
      try {
        const { decisions, book } = await this.#decideAndWrite(batch, lease)
        return this.#committed(batch, decisions, book)
      } catch (error) {
        // Memory is only a cache of what is committed, and what is committed is now in doubt.
        this.#cache.clear()
        switch (faultOf(error)) {
          case 'lease_lost':
            this.#loseLease(error)
            return rejectAll(batch, new NotReady('the writer lease is held by another'))
          case 'conflict':
            if (attempt < MAX_SERIALISATION_RETRIES) continue
            this.#options.onError?.(error, 'batch given up')
            return rejectAll(batch, new NotReady('the database is too busy'))
          case 'away':
            return this.#resolveDoubt(batch, lease, error)
          case 'bug': {
            const [only, ...others] = batch
            if (only && others.length === 0) return this.#failed(only, error)
            // A bug that showed only when all was written: find the command that has it, and let the others pass.
            this.#options.onError?.(error, 'batch refused, going one by one')
            for (const waiting of batch) await this.#executeBatch([waiting])
            return
          }
        }
      }
    }
  }

  async #decideAndWrite(batch: readonly Waiting[], lease: Lease): Promise<{ decisions: Decision[]; book: Book }> {
    const book = new Book(this.#cache, this.#tip)
    const decisions = await this.#options.db.transaction(async (tx) => {
      await renewLease(tx, lease)
      const stored = await loadStoredAnswers(tx, batch)
      await book.load(
        tx,
        batch.flatMap((waiting) => waiting.command.touches),
      )
      const made: Decision[] = []
      const answers: StoredAnswer[] = []
      for (const waiting of batch) made.push(await this.#decideOne(tx, book, waiting, stored, answers))
      // They run in this order, but none waits for the answer of the one before.
      await Promise.all(statementsOf(book, answers).map(({ text, params }) => tx.query(text, params)))
      return made
    })
    return { decisions, book }
  }

  async #decideOne(
    tx: Queryable,
    book: Book,
    { command, context, payloadHash }: Waiting,
    stored: Map<string, { payloadHash: string; outcome: Outcome }>,
    answers: StoredAnswer[],
  ): Promise<Decision> {
    const { owner, key, kind } = command
    const before = key === undefined ? undefined : stored.get(storedKey(owner, key))
    if (before) {
      const outcome =
        before.payloadHash === payloadHash ? before.outcome : { refusal: 'conflict', data: { reason: 'key_reused' } }
      return { outcome, json: '' }
    }
    const decision = await decide(tx, book, command, context)
    if ('outcome' in decision && key !== undefined) {
      stored.set(storedKey(owner, key), { payloadHash, outcome: decision.outcome })
      answers.push({ owner, key, kind, payloadHash, outcome: decision.json, at: context.now })
    }
    return decision
  }

  #committed(batch: readonly Waiting[], decisions: readonly Decision[], book: Book): void {
    if (this.#lease) this.#lease.batch += 1n
    this.#tip = book.tip
    book.commitToCache()
    batch.forEach((waiting, index) => {
      const decision = decisions[index] as Decision
      if ('bug' in decision) this.#failed(waiting, decision.bug)
      else settle(waiting, decision.outcome)
    })
    if (book.changedRows.size > 0 || book.entries.length > 0) this.#tellListeners()
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
  async #resolveDoubt(batch: Waiting[], lease: Lease, error: unknown): Promise<void> {
    this.#options.onError?.(error, 'batch with unknown outcome')
    try {
      const committed = await isNextBatchCommitted(this.#options.db, lease)
      if (committed) lease.batch += 1n
      this.#tip = await readTip(this.#options.db)
      if (committed) this.#tellListeners()
      rejectAll(batch, new NotReady('the database went away; repeat with the same idempotency key'))
    } catch (cause) {
      this.#loseLease(cause)
      rejectAll(batch, new NotReady('the database is away'))
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
  }

  /** Keeps the lease while nothing is written, and asks for it while another has it. */
  async #beat(): Promise<void> {
    if (this.#closing || this.#running) return
    const beat = this.#lease ? this.#executeBatch([]) : this.#takeLease()
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

function statementsOf(book: Book, answers: readonly StoredAnswer[]) {
  try {
    return batchStatements(book, answers)
  } catch (cause) {
    throw new Unwritable('a batch cannot be written', { cause })
  }
}

/** Decides one command, loading what it turns out to need, and takes its plan into the book. */
async function decide(tx: Queryable, book: Book, command: Command<unknown>, context: Context): Promise<Decision> {
  for (let loads = 0; ; loads++) {
    try {
      const plan = command.decide(book, context)
      const outcome = { ok: plan.answer }
      // Before the plan is taken: an answer that is no JSON is a bug of this command alone.
      const json = command.key === undefined ? '' : JSON.stringify(outcome)
      book.apply(plan, context.now)
      return { outcome, json }
    } catch (error) {
      if (error instanceof NotLoaded && loads < MAX_LOADS_PER_DECISION) await book.load(tx, [error.touch])
      else if (error instanceof Refusal) {
        const outcome = { refusal: error.refusal, data: error.data }
        return { outcome, json: JSON.stringify(outcome) }
      } else return { bug: error }
    }
  }
}

const storedKey = (owner: string, key: string) => `${owner} ${key}`

async function loadStoredAnswers(tx: Queryable, batch: readonly Waiting[]) {
  const stored = new Map<string, { payloadHash: string; outcome: Outcome }>()
  const keyed = batch.flatMap(({ command }) =>
    command.key === undefined ? [] : [{ owner: command.owner, key: command.key }],
  )
  if (keyed.length === 0) return stored
  const rows = await tx.query<{ owner: string; key: string; payload_hash: string; outcome: Outcome }>(
    `select owner, key, encode(payload_hash, 'hex') as payload_hash, outcome from stored_answers
     join unnest($1::text[], $2::text[]) as wanted (owner, key) using (owner, key)`,
    [keyed.map((each) => each.owner), keyed.map((each) => each.key)],
  )
  for (const row of rows)
    stored.set(storedKey(row.owner, row.key), { payloadHash: row.payload_hash, outcome: row.outcome })
  return stored
}

function settle(waiting: Waiting, outcome: Outcome): void {
  if ('refusal' in outcome) waiting.reject(new Refusal(outcome.refusal, outcome.data))
  else waiting.resolve(outcome.ok)
}

function rejectAll(batch: readonly Waiting[], error: Error): void {
  for (const waiting of batch) waiting.reject(error)
}
