import { userAccounts } from '../ledger/accounts.ts'
import { eventFrame } from './frame.ts'
import { type EntryFrame, entryFrames, type Follower } from './ledger-feed.ts'
import type { Listener } from './listener.ts'
import type { StreamStore } from './stream.store.ts'

/** Entries that may wait while earlier ones are read from the ledger. */
const MAX_WAITING = 200
/** Postings that are sent after a reconnect; a listener that missed more reloads everything. */
const MAX_MISSED = 200

/** Where a listener's entries begin: first those that it missed, then all that come after `seq`. */
export interface Beginning {
  readonly seq: bigint
  readonly missed: readonly Pick<EntryFrame, 'seq' | 'frame'>[]
}

/**
 * Finds where to continue for a listener that already has the entries up to `lastEventId`.
 *
 * @param tip the last entry that this server has read.
 */
export async function findBeginning(
  store: Pick<StreamStore, 'tip' | 'postingsOf'>,
  { userId, tip, lastEventId }: { userId: string; tip: bigint; lastEventId: bigint | undefined },
): Promise<Beginning> {
  if (lastEventId === undefined) return { seq: tip, missed: [] }
  // The id came from a server that has read more than this one: its entries are not sent a second time.
  if (lastEventId > tip && lastEventId <= (await store.tip())) return { seq: lastEventId, missed: [] }
  const isOfAnotherLedger = lastEventId > tip
  const rows = isOfAnotherLedger
    ? undefined
    : await store.postingsOf({ accounts: userAccounts(userId), after: lastEventId, to: tip, limit: MAX_MISSED + 1 })
  if (!rows || rows.length > MAX_MISSED) return { seq: tip, missed: [{ seq: tip, frame: resetFrame(tip) }] }
  return { seq: tip, missed: [...entryFrames(rows, (each) => each === userId)] }
}

/**
 * Passes a user's entries to one listener: each once, in their order, missed ones first. Until `begin` the listener has no
 * stream, and nothing is written to it.
 */
export class AccountFollower implements Follower {
  readonly #listener: Listener
  readonly #onLost: (listener: Listener) => void
  /** The last entry that the listener got; `undefined` before `begin`. */
  #sentSeq: bigint | undefined
  /** Before `begin` more entries came than may wait: the last of them. */
  #resetTo: bigint | undefined
  #waiting: { seq: bigint; frame: Buffer }[] = []
  /** Events without an id that came before `begin`. The first ones are kept: a client polls for them after `ready`. */
  #published: Buffer[] = []

  constructor(listener: Listener, onLost: (listener: Listener) => void) {
    this.#listener = listener
    this.#onLost = onLost
  }

  /** Sends the missed entries, which are all up to `seq`, and continues with new ones. */
  begin({ seq: sentSeq, missed }: Beginning): void {
    this.#sentSeq = sentSeq
    for (const { frame } of missed) this.#listener.sendEvent(frame)
    const waiting = this.#waiting
    this.#waiting = []
    if (this.#resetTo !== undefined) this.onReset(this.#resetTo)
    for (const { seq, frame } of waiting) this.onEntry(seq, frame)
    for (const frame of this.#published) this.#listener.sendEvent(frame)
    this.#published = []
  }

  onEntry(seq: bigint, frame: Buffer): void {
    if (this.#sentSeq === undefined) {
      if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ seq, frame })
      else this.onReset(seq)
    } else if (seq > this.#sentSeq) {
      this.#sentSeq = seq
      this.#listener.sendEvent(frame)
    }
  }

  onReset(seq: bigint): void {
    if (this.#sentSeq === undefined) {
      this.#waiting = []
      this.#resetTo = seq
    } else if (seq > this.#sentSeq) {
      this.#sentSeq = seq
      this.#listener.sendEvent(resetFrame(seq))
    }
  }

  onEvent(frame: Buffer): void {
    if (this.#sentSeq !== undefined) this.#listener.sendEvent(frame)
    else if (this.#published.length < MAX_WAITING) this.#published.push(frame)
  }

  /** Before `begin` the next failing look reports it. */
  onLost(): void {
    if (this.#sentSeq !== undefined) this.#onLost(this.#listener)
  }
}

/** The client reloads everything of its account. */
function resetFrame(seq: bigint): Buffer {
  return eventFrame('reset', '{}', seq)
}
