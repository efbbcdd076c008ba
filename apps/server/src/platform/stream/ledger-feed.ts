import type { PostingRow } from '@clearwell/ledger/read-postings'
import { userAccounts } from '../ledger/accounts.ts'
import { logItem } from '../ledger/log-item.ts'
import type { Report } from '../log/report.ts'
import { repeat } from '../time/repeat.ts'
import { eventFrame } from './frame.ts'
import type { StreamStore } from './stream.store.ts'

/** Entries that one statement reads. */
const CHUNK = 2_000n
/** Followers that are farther behind reload everything instead. */
const MAX_BEHIND = 50_000n
/** Up to so many users the database filters postings by account; for more, naming the accounts costs more. */
const MAX_NAMED_USERS = 250

export interface FeedTimes {
  /** Entries of another server are seen within this time. */
  readonly pollMs: number
  /** The least time between two reads of the ledger, however often something is committed. */
  readonly gapMs: number
  /** Milliseconds that the ledger may be unreadable before its followers are disconnected. */
  readonly failingMs: number
}

/** An entry as one user's listeners get it. */
export interface EntryFrame {
  readonly userId: string
  readonly seq: bigint
  readonly frame: Buffer
}

/** Follows the entries of one user. */
export interface Follower {
  /** An entry touched the user's accounts; entries come in their order. */
  onEntry(seq: bigint, frame: Buffer): void
  /** Too many entries up to this one to send each. */
  onReset(seq: bigint): void
  /** An event that is no entry. */
  onEvent(frame: Buffer): void
  /** The ledger cannot be followed any longer. */
  onLost(): void
}

export interface LedgerFeed {
  /** Milliseconds since the ledger was last read to its end; `undefined` without followers. */
  readonly lagMs: number | undefined
  /** @returns the number of the last entry that the follower does not get, even if newer ones arrive before it reads this. */
  follow(userId: string, follower: Follower): Promise<bigint>
  leave(userId: string, follower: Follower): void
  publish(userId: string, frame: Buffer): void
  /** This server committed something: read soon. */
  wake(): void
  stop(): void
}

/**
 * Follows the ledger by the number of its last entry, with one run for all followers: immediately after a commit of this
 * server, within `pollMs` after one of another. Followers are found by user id, so a run costs as much as changed.
 */
export function createLedgerFeed({
  store,
  times: { pollMs, gapMs, failingMs },
  onError,
}: {
  store: Pick<StreamStore, 'tip' | 'userPostings'>
  times: FeedTimes
  onError: Report
}): LedgerFeed {
  const followers = new Followers()
  const reader = new EntryReader(store, followers)
  let failingSinceMs: number | undefined
  /** When the last read to the end of the ledger began; `undefined` before the first and without followers. */
  let readMs: number | undefined

  async function run(): Promise<void> {
    if (followers.isEmpty) {
      readMs = undefined
      return reader.pause()
    }
    const lookedMs = performance.now()
    readMs ??= lookedMs
    try {
      await reader.sendNew()
      readMs = lookedMs
      failingSinceMs = undefined
    } catch (error) {
      if (failingSinceMs === undefined) onError(error, 'stream of the ledger')
      failingSinceMs ??= lookedMs
      if (performance.now() - failingSinceMs >= failingMs) for (const follower of followers.all()) follower.onLost()
    }
  }
  const timer = repeat({ run, everyMs: pollMs, gapMs, onError: (error) => onError(error, 'stream of the ledger') })

  return {
    get lagMs() {
      return readMs === undefined || followers.isEmpty ? undefined : performance.now() - readMs
    },
    follow(userId, follower) {
      timer.start()
      // First: a run without followers would pause the reader.
      followers.add(userId, follower)
      return reader.begin()
    },
    leave: (userId, follower) => followers.delete(userId, follower),
    publish(userId, frame) {
      for (const follower of followers.of(userId)) follower.onEvent(frame)
    },
    wake() {
      if (reader.isReading) timer.wake()
    },
    stop: () => void timer.stop(),
  }
}

/** Reads the ledger from one number to the next and passes each entry to the followers of its users. */
class EntryReader {
  readonly #store: Pick<StreamStore, 'tip' | 'userPostings'>
  readonly #followers: Followers
  /** The last entry that was read; `undefined` while there are no followers. */
  #seen: bigint | undefined
  #beginning: Promise<bigint> | undefined

  constructor(store: Pick<StreamStore, 'tip' | 'userPostings'>, followers: Followers) {
    this.#store = store
    this.#followers = followers
  }

  get isReading(): boolean {
    return this.#seen !== undefined
  }

  /** The last entry that was read. Concurrent first followers share one read of the ledger's tip. */
  async begin(): Promise<bigint> {
    while (this.#seen === undefined) {
      this.#beginning ??= this.#store.tip().finally(() => {
        this.#beginning = undefined
      })
      const tip = await this.#beginning
      this.#seen ??= tip
    }
    return this.#seen
  }

  /** The next follower begins at the tip of that time. */
  pause(): void {
    this.#seen = undefined
  }

  async sendNew(): Promise<void> {
    const tip = await this.#store.tip()
    while (this.#seen !== undefined && this.#seen < tip) {
      const after: bigint = this.#seen
      if (tip - after > MAX_BEHIND) {
        this.#seen = tip
        for (const follower of this.#followers.all()) follower.onReset(tip)
        return
      }
      const to = after + CHUNK < tip ? after + CHUNK : tip
      // Before reading: a follower that joins meanwhile begins after `to`, and reads what is before on its own.
      this.#seen = to
      const accounts = this.#followers.accounts()
      const rows = await this.#store.userPostings({ after, to, accounts }).catch((error) => {
        this.#seen = after
        throw error
      })
      for (const { userId, seq, frame } of entryFrames(rows, this.#followers.has))
        for (const follower of this.#followers.of(userId)) follower.onEntry(seq, frame)
    }
  }
}

/** The followers of each user. */
class Followers {
  readonly #byUser = new Map<string, Set<Follower>>()

  get isEmpty(): boolean {
    return this.#byUser.size === 0
  }

  add(userId: string, follower: Follower): void {
    const own = this.#byUser.get(userId) ?? new Set()
    this.#byUser.set(userId, own)
    own.add(follower)
  }

  delete(userId: string, follower: Follower): void {
    const own = this.#byUser.get(userId)
    own?.delete(follower)
    if (own?.size === 0) this.#byUser.delete(userId)
  }

  readonly has = (userId: string): boolean => this.#byUser.has(userId)

  of(userId: string): Iterable<Follower> {
    return this.#byUser.get(userId) ?? []
  }

  all(): Follower[] {
    return [...this.#byUser.values()].flatMap((each) => [...each])
  }

  /** The accounts of all users with a follower; `undefined` where they are too many to name. */
  accounts(): string[] | undefined {
    return this.#byUser.size > MAX_NAMED_USERS ? undefined : [...this.#byUser.keys()].flatMap(userAccounts)
  }
}

/** Postings in their order as one frame for each entry and user. */
export function* entryFrames(
  rows: readonly PostingRow[],
  isWanted: (userId: string) => boolean,
): Generator<EntryFrame> {
  const postings = new Map<string, PostingRow[]>()
  for (const row of rows) {
    const userId = row.account.split(':')[1] ?? ''
    if (!isWanted(userId)) continue
    const key = `${row.entry_seq}:${userId}`
    const own = postings.get(key)
    if (own) own.push(row)
    else postings.set(key, [row])
  }
  for (const [key, own] of postings) {
    const [seq = '0', userId = ''] = key.split(':')
    yield {
      userId,
      seq: BigInt(seq),
      frame: eventFrame('entry', JSON.stringify({ items: own.map(logItem) }), BigInt(seq)),
    }
  }
}
