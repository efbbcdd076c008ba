import { eventFrame } from './frame.ts'
import type { Follower } from './ledger-feed.ts'
import type { Listener } from './listener.ts'

/** What may wait while the entries before it are read from the ledger. */
const MAX_WAITING = 200

/**
 * Hands a user's entries to one listener: each once, in their order, those that it missed before those that come. Until it
 * begins the listener has no stream yet, and nothing is written to it.
 */
export class AccountFollower implements Follower {
  readonly #listener: Listener
  readonly #onLost: (listener: Listener) => void
  /** The last entry that the listener was told of; `undefined` until what it missed has been told. */
  #told: bigint | undefined
  /** The latest entry of which too many came meanwhile. */
  #resetTo: bigint | undefined
  #waiting: { seq: bigint; frame: Buffer }[] = []
  /** What is no entry, and came before it began: the first of it, since whoever begins asks for what has no id. */
  #published: Buffer[] = []

  constructor(listener: Listener, onLost: (listener: Listener) => void) {
    this.#listener = listener
    this.#onLost = onLost
  }

  /** Tells what was missed up to an entry, which is no more than `missed` says, and goes on with what comes. */
  begin(told: bigint, missed: readonly { seq: bigint; frame: Buffer }[]): void {
    this.#told = told
    for (const { frame } of missed) this.#listener.sendEvent(frame)
    const waiting = this.#waiting
    this.#waiting = []
    if (this.#resetTo !== undefined) this.onReset(this.#resetTo)
    for (const { seq, frame } of waiting) this.onEntry(seq, frame)
    for (const frame of this.#published) this.#listener.sendEvent(frame)
    this.#published = []
  }

  onEntry(seq: bigint, frame: Buffer): void {
    if (this.#told === undefined) {
      if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ seq, frame })
      else this.onReset(seq)
    } else if (seq > this.#told) {
      this.#told = seq
      this.#listener.sendEvent(frame)
    }
  }

  onReset(seq: bigint): void {
    if (this.#told === undefined) {
      this.#waiting = []
      this.#resetTo = seq
    } else if (seq > this.#told) {
      this.#told = seq
      this.#listener.sendEvent(resetFrame(seq))
    }
  }

  onEvent(frame: Buffer): void {
    if (this.#told !== undefined) this.#listener.sendEvent(frame)
    else if (this.#published.length < MAX_WAITING) this.#published.push(frame)
  }

  /** One that has not begun is told by the next look that fails. */
  onLost(): void {
    if (this.#told !== undefined) this.#onLost(this.#listener)
  }
}

/** Ask for everything of yours again. */
export function resetFrame(seq: bigint): Buffer {
  return eventFrame('reset', '{}', seq)
}
