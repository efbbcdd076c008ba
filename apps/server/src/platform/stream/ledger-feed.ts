import type { PostingRow } from '@clearwell/ledger/read-postings'
import { userAccounts } from '../ledger/accounts.ts'
import { logItem } from '../ledger/log-item.ts'
import { eventFrame } from './frame.ts'
import type { StreamStore } from './stream.store.ts'
import type { StreamTimes } from './stream-times.ts'

/** Entries that one statement reads. */
const CHUNK = 2_000n
/** From so many on, each is told to ask for everything instead. */
const MAX_BEHIND = 50_000n
/** Up to so many listening users the database leaves out everyone else's postings; beyond, naming them costs more. */
const MAX_NAMED_USERS = 250

/** Who wants to know what becomes of a user's money. */
export interface Follower {
  /** An entry touched the user's accounts; entries come in their order. */
  onEntry(seq: bigint, frame: Buffer): void
  /** Too much happened up to this entry to be told one by one. */
  onReset(seq: bigint): void
  /** Something that is no entry. */
  onEvent(frame: Buffer): void
  /** The ledger cannot be followed any more. */
  onLost(): void
}

export interface LedgerFeed {
  /** Answers the entry after which the follower is told of everything, even before this answer is read. */
  follow(userId: string, follower: Follower): Promise<bigint>
  leave(userId: string, follower: Follower): void
  publish(userId: string, frame: Buffer): void
  /** Something was committed here: look soon. */
  wake(): void
  stop(): void
}

/**
 * Follows the ledger by the number of its last entry, for all listening users with one look: at once where this server
 * writes, within `pollMs` where another does. Who is to be told is found by the user's id, so it costs as much as was
 * changed, and not as many as listen.
 */
export function createLedgerFeed(deps: {
  store: StreamStore
  times: Pick<StreamTimes, 'pollMs' | 'gapMs' | 'failingMs'>
  onError: (error: unknown, doing: string) => void
}): LedgerFeed {
  const {
    store,
    times: { pollMs, gapMs, failingMs },
    onError,
  } = deps
  const followers = new Map<string, Set<Follower>>()
  let seen: bigint | undefined
  let starting: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isWoken = false
  let isStopped = false
  let lookedMs = 0
  let failingSinceMs: number | undefined

  const all = () => [...followers.values()].flatMap((each) => [...each])

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void look(), delayMs)
  }

  async function look(): Promise<void> {
    timer = undefined
    isWoken = false
    if (followers.size === 0) {
      // Nobody listens: whoever comes next starts where the ledger is then.
      seen = undefined
      return
    }
    isLooking = true
    lookedMs = performance.now()
    try {
      await tellNew()
      failingSinceMs = undefined
    } catch (error) {
      if (failingSinceMs === undefined) onError(error, 'stream of the ledger')
      failingSinceMs ??= lookedMs
      if (performance.now() - failingSinceMs >= failingMs) for (const follower of all()) follower.onLost()
    }
    isLooking = false
    schedule(isWoken ? gapMs : pollMs)
  }

  async function tellNew(): Promise<void> {
    const tip = await store.tip()
    while (seen !== undefined && seen < tip) {
      if (tip - seen > MAX_BEHIND) {
        seen = tip
        for (const follower of all()) follower.onReset(tip)
        return
      }
      const to = seen + CHUNK < tip ? seen + CHUNK : tip
      const after = seen
      // At once: who begins while it is read begins after it, and reads by itself what is before.
      seen = to
      const accounts = followers.size > MAX_NAMED_USERS ? undefined : [...followers.keys()].flatMap(userAccounts)
      const rows = await store.userPostings({ after, to, accounts }).catch((error) => {
        seen = after
        throw error
      })
      for (const { userId, seq, frame } of entryFrames(rows, (userId) => followers.has(userId)))
        for (const follower of followers.get(userId) ?? []) follower.onEntry(seq, frame)
    }
  }

  return {
    async follow(userId, follower) {
      while (seen === undefined) {
        starting ??= store
          .tip()
          .then((tip) => {
            seen ??= tip
          })
          .finally(() => {
            starting = undefined
          })
        await starting
      }
      const own = followers.get(userId) ?? new Set()
      followers.set(userId, own)
      own.add(follower)
      if (!isLooking && timer === undefined) schedule(pollMs)
      return seen
    },
    leave(userId, follower) {
      const own = followers.get(userId)
      own?.delete(follower)
      if (own?.size === 0) followers.delete(userId)
    },
    publish(userId, frame) {
      for (const follower of followers.get(userId) ?? []) follower.onEvent(frame)
    },
    wake() {
      if (isWoken || seen === undefined) return
      isWoken = true
      if (!isLooking) schedule(Math.max(0, gapMs - (performance.now() - lookedMs)))
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Postings in their order as one frame for each entry and user. */
export function* entryFrames(
  rows: readonly PostingRow[],
  isWanted: (userId: string) => boolean,
): Generator<{ userId: string; seq: bigint; frame: Buffer }> {
  const lines = new Map<string, PostingRow[]>()
  for (const row of rows) {
    const userId = row.account.split(':')[1] ?? ''
    if (!isWanted(userId)) continue
    const key = `${row.entry_seq}:${userId}`
    const own = lines.get(key)
    if (own) own.push(row)
    else lines.set(key, [row])
  }
  for (const [key, own] of lines) {
    const [seq = '0', userId = ''] = key.split(':')
    const json = JSON.stringify({ items: own.map(logItem) })
    yield { userId, seq: BigInt(seq), frame: eventFrame('entry', json, BigInt(seq)) }
  }
}
