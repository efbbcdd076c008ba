import { hash } from 'node:crypto'
import { arrayLiteral } from './array-literal.ts'
import { Book, type CommittedCache, NotLoaded } from './book.ts'
import type { Admission, Command, Context, Plan, PlanCompletion, StateKey } from './command.ts'
import type { Database } from './database.ts'
import type { Tip } from './reads.ts'
import { Refusal } from './refusal.ts'
import type { StoredResponse } from './write-batch.ts'

/** Loads allowed for one decision. A decision that needs more counts as a bug. */
const MAX_LOADS_PER_DECISION = 64

/** A command that waits for its response. */
export interface Waiting {
  readonly command: Command<unknown>
  readonly context: Context
  readonly resolve: (response: unknown) => void
  readonly reject: (error: Error) => void
}

export type Outcome = { ok: unknown } | { refusal: string; data: Readonly<Record<string, unknown>> }

/** `json` is stored for the idempotency key. */
type Decision = { outcome: Outcome; json: string } | { bug: unknown }

interface KnownResponse {
  /** Hex. */
  readonly payloadHash: string
  readonly outcome: Outcome
}

/**
 * Commands that are decided and written together. Each sees committed state, the changes of batches that are still being
 * written, and the changes of earlier commands in this batch.
 */
export class Batch {
  readonly book: Book
  readonly decided: { readonly waiting: Waiting; readonly decision: Decision }[] = []
  /** Responses to store for the idempotency keys of this batch. */
  readonly responses = new Map<string, StoredResponse & KnownResponse>()
  readonly waiting: Waiting[] = []
  /** By the clock that measures batches. */
  readonly startedMs: number
  /** Error that prevents writing this batch: the database could not load the state that its decisions need. */
  fault: unknown
  #db: Database
  #admission: Admission | undefined
  #completion: PlanCompletion | undefined
  /** Batches that were still being written when this one started, newest first. Loaded state may be older than their commits. */
  #before: readonly Batch[]
  #isCommitted = false

  constructor({
    db,
    cache,
    tip,
    before,
    startedMs,
    admission,
    completion,
  }: {
    db: Database
    cache: CommittedCache
    tip: Tip
    /** The newest batch that is still being written. */
    before: Batch | undefined
    startedMs: number
    admission?: Admission | undefined
    completion?: PlanCompletion | undefined
  }) {
    this.startedMs = startedMs
    this.#db = db
    this.#admission = admission
    this.#completion = completion
    this.#before = before ? [before, ...before.#before.filter((each) => !each.#isCommitted)] : []
    this.book = new Book(cache, before?.book.tip ?? tip, before?.book)
  }

  /** Decides more commands. Never rejects: see {@link Batch.fault}. */
  async decide(waiting: readonly Waiting[]): Promise<void> {
    this.waiting.push(...waiting)
    try {
      const keyed = waiting.flatMap(({ command }) => (command.key === undefined ? [] : [command as Keyed]))
      // Both read committed state. The changes of the batches before are in memory already.
      const [stored, loaded] = await Promise.allSettled([
        this.#loadResponses(keyed),
        this.book.load(this.#db, this.#keysOf(waiting)),
      ])
      if (stored.status === 'rejected') throw stored.reason
      if (loaded.status === 'rejected') throw loaded.reason
      const responses = stored.value
      for (const each of waiting) this.decided.push({ waiting: each, decision: await this.#decideOne(each, responses) })
    } catch (error) {
      this.fault = error ?? new Error('the batch could not be decided')
    }
  }

  #keysOf(waiting: readonly Waiting[]): StateKey[] {
    const keys: StateKey[] = []
    for (const { command } of waiting) {
      keys.push(...command.preload)
      const key = this.#admission?.keyOf(command)
      if (key) keys.push(...[key].flat())
      if (this.#completion) keys.push(...this.#completion.keysOf(command))
    }
    return keys
  }

  async #decideOne({ command, context }: Waiting, stored: ReadonlyMap<string, KnownResponse>): Promise<Decision> {
    const { owner, key, kind, payload } = command
    if (key === undefined) return this.#decideNew(command, context)
    const name = storedKey(owner, key)
    let payloadHash: string
    try {
      payloadHash = hash('sha256', JSON.stringify([kind, payload]))
    } catch (bug) {
      return { bug }
    }
    const known = this.#findResponse(name) ?? stored.get(name)
    if (known) {
      const isSame = known.payloadHash === payloadHash
      return { outcome: isSame ? known.outcome : { refusal: 'conflict', data: { reason: 'key_reused' } }, json: '' }
    }
    const decision = await this.#decideNew(command, context)
    if ('outcome' in decision) {
      const { outcome, json } = decision
      this.responses.set(name, { owner, key, kind, payloadHash, outcome, json, at: context.now })
    }
    return decision
  }

  /** Finds the response in this batch, or in one that was not committed yet when this one started. */
  #findResponse(name: string): KnownResponse | undefined {
    const own = this.responses.get(name)
    if (own) return own
    for (const { responses } of this.#before) {
      const known = responses.get(name)
      if (known) return known
    }
    return undefined
  }

  /** Moves the changes to the cache after the commit. Drops `#before`, which would keep every earlier batch in memory. */
  commitToCache(): void {
    this.#before = []
    this.#isCommitted = true
    this.book.commitToCache()
  }

  /** Decides one command, loads the state that it turns out to need, and applies its plan to the book. */
  async #decideNew(command: Command<unknown>, context: Context): Promise<Decision> {
    for (let loads = 0; ; loads++) {
      try {
        this.#admission?.admit(command, this.book, context)
        const plan = this.#complete(command.decide(this.book, context), context)
        const outcome = { ok: plan.response }
        // Before the plan is applied: a response that JSON cannot hold is a bug of this command alone.
        const json = command.key === undefined ? '' : JSON.stringify(outcome)
        this.book.apply(plan, context.now)
        return { outcome, json }
      } catch (error) {
        if (error instanceof NotLoaded && loads < MAX_LOADS_PER_DECISION) await this.book.load(this.#db, error.keys)
        else if (error instanceof Refusal) return toDecision(error)
        else return { bug: error }
      }
    }
  }

  #complete<Result>(plan: Plan<Result>, context: Context): Plan<Result> {
    const added = this.#completion?.rowsFor(plan, this.book, context, this.book.tip.seq) ?? []
    return added.length === 0 ? plan : { ...plan, rows: [...(plan.rows ?? []), ...added] }
  }

  async #loadResponses(keyed: readonly Keyed[]): Promise<ReadonlyMap<string, KnownResponse>> {
    const stored = new Map<string, KnownResponse>()
    if (keyed.length === 0) return stored
    const rows = await this.#db.query<{ owner: string; key: string; payload_hash: string; outcome: Outcome }>(
      // One index lookup per key: a plan cached while the table was small would scan the whole table from then on.
      `select owner, key, payload_hash, outcome from unnest($1::text[], $2::text[]) as wanted (wanted_owner, wanted_key)
       cross join lateral (
         select owner, key, encode(payload_hash, 'hex') as payload_hash, outcome from command_outcomes
         where owner = wanted_owner and key = wanted_key offset 0
       ) stored`,
      [arrayLiteral(keyed.map((each) => each.owner)), arrayLiteral(keyed.map((each) => each.key))],
    )
    for (const row of rows)
      stored.set(storedKey(row.owner, row.key), { payloadHash: row.payload_hash, outcome: row.outcome })
    return stored
  }
}

/** Turns a refusal into a decision. Refusal data that JSON cannot hold is a bug of its command alone. */
function toDecision({ refusal, data }: Refusal): Decision {
  const outcome = { refusal, data }
  try {
    return { outcome, json: JSON.stringify(outcome) }
  } catch (bug) {
    return { bug }
  }
}

type Keyed = Command<unknown> & { readonly key: string }

const storedKey = (owner: string, key: string) => `${owner} ${key}`
