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

interface OpenConnection {
  readonly release: () => void
  readonly end: () => void
}

/**
 * Counts open streams and rejects those beyond the limits: per account where signed in, else per client address.
 *
 * When the server is full, a client whose address has few streams takes the place of the newest stream of the address that
 * has the most. So addresses with many streams cannot shut out the others, however many accounts they have.
 */
export class ConnectionLimiter {
  readonly #limits: StreamLimits
  readonly #counts = new Map<string, number>()
  /** The open streams of each address, the newest last. */
  readonly #byAddress = new Map<string, Set<OpenConnection>>()
  #count = 0

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /**
   * Counts one more stream. @returns the function that releases it; a second call does nothing.
   *
   * @param end ends the stream when another address needs its place.
   * @throws Refusal `not_ready` where the server is full, `too_many_requests` where the caller has enough.
   */
  acquire(
    caller: {
      readonly address: string
      readonly user: { readonly id: string; readonly tokenHash: string } | undefined
    },
    end: () => void,
  ): () => void {
    const keys = this.#keysOf(caller)
    if (keys.some(({ key, limit }) => (this.#counts.get(key) ?? 0) >= limit))
      throw new TooManyRequests({ waitMs: RETRY_MS })
    if (this.#count >= this.#limits.inAll) this.#makeRoomFor(caller.address)
    return this.#open(caller.address, keys, end)
  }

  /** Ends the newest stream of the fullest address, if that still has more streams than the newcomer's then. */
  #makeRoomFor(address: string): void {
    const own = this.#byAddress.get(address)?.size ?? 0
    let fullest: Set<OpenConnection> = new Set()
    for (const connections of this.#byAddress.values()) if (connections.size > fullest.size) fullest = connections
    const newest = [...fullest].at(-1)
    if (newest === undefined || fullest.size <= own + 1) throw refusal('not_ready')
    newest.release()
    newest.end()
  }

  #open(address: string, keys: readonly { readonly key: string }[], end: () => void): () => void {
    const ofAddress = this.#byAddress.get(address) ?? new Set<OpenConnection>()
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      this.#add(keys, -1)
      ofAddress.delete(connection)
      if (ofAddress.size === 0) this.#byAddress.delete(address)
    }
    const connection = { release, end }
    ofAddress.add(connection)
    this.#byAddress.set(address, ofAddress)
    this.#add(keys, 1)
    return release
  }

  #keysOf({
    address,
    user,
  }: Parameters<ConnectionLimiter['acquire']>[0]): { readonly key: string; readonly limit: number }[] {
    const { perAddress, sessionsPerAddress, perAccount, perSession } = this.#limits
    if (!user) return [{ key: `address ${address}`, limit: perAddress }]
    return [
      { key: `sessions of ${address}`, limit: sessionsPerAddress },
      { key: `account ${user.id}`, limit: perAccount },
      { key: `session ${user.tokenHash}`, limit: perSession },
    ]
  }

  #add(keys: readonly { readonly key: string }[], change: 1 | -1): void {
    this.#count += change
    for (const { key } of keys) {
      const count = (this.#counts.get(key) ?? 0) + change
      if (count === 0) this.#counts.delete(key)
      else this.#counts.set(key, count)
    }
  }
}
