import { TooManyRequests } from '../http/too-many-requests.ts'
import { refusal } from '../ledger/refuse.ts'

/** A rejected client asks again after this time. Other streams close meanwhile. */
const RETRY_MS = 10_000

/** How many streams may be open at the same time. Each costs a socket and about 20 kB. */
export interface StreamLimits {
  readonly inAll: number
  /** Streams without a session. */
  readonly perAddress: number
  /** Streams of all sessions behind one address. A mobile network or an office shares one. */
  readonly sessionsPerAddress: number
  /** Streams of all devices of one account. */
  readonly perAccount: number
  /** One for each tab of a session. */
  readonly perSession: number
}

/** Counts open streams and rejects those beyond the limits: per account where signed in, else per client address. */
export class ConnectionLimiter {
  readonly #limits: StreamLimits
  readonly #counts = new Map<string, number>()
  #count = 0

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /**
   * Counts one more stream. @returns the function that releases it; a second call does nothing.
   *
   * @throws Refusal `not_ready` where the server is full, `too_many_requests` where the caller has enough.
   */
  acquire(caller: {
    readonly address: string
    readonly user: { readonly id: string; readonly tokenHash: string } | undefined
  }): () => void {
    if (this.#count >= this.#limits.inAll) throw refusal('not_ready')
    const keys = this.#keysOf(caller)
    if (keys.some(({ key, limit }) => (this.#counts.get(key) ?? 0) >= limit))
      throw new TooManyRequests({ waitMs: RETRY_MS })
    this.#add(keys, 1)
    let isReleased = false
    return () => {
      if (!isReleased) this.#add(keys, -1)
      isReleased = true
    }
  }

  #keysOf({ address, user }: Parameters<ConnectionLimiter['acquire']>[0]): { key: string; limit: number }[] {
    const { perAddress, sessionsPerAddress, perAccount, perSession } = this.#limits
    if (!user) return [{ key: `address ${address}`, limit: perAddress }]
    return [
      { key: `sessions of ${address}`, limit: sessionsPerAddress },
      { key: `account ${user.id}`, limit: perAccount },
      { key: `session ${user.tokenHash}`, limit: perSession },
    ]
  }

  #add(keys: readonly { key: string }[], change: 1 | -1): void {
    this.#count += change
    for (const { key } of keys) {
      const count = (this.#counts.get(key) ?? 0) + change
      if (count === 0) this.#counts.delete(key)
      else this.#counts.set(key, count)
    }
  }
}
