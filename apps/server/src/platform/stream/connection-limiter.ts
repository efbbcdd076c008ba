import { refusal } from '../ledger/refuse.ts'

/** How many streams may be open at the same time. Each costs a socket and about 20 kB. */
export interface StreamLimits {
  readonly inAll: number
  /** A mobile network or an office shares one address. */
  readonly perAddress: number
  /** One for each tab of a session. */
  readonly perSession: number
}

/** Counts open streams and refuses those beyond the limits. */
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
  acquire({ address, session }: { address: string; session: string | undefined }): () => void {
    const { inAll, perAddress, perSession } = this.#limits
    if (this.#count >= inAll) throw refusal('not_ready')
    const keys = [
      { key: `address ${address}`, limit: perAddress },
      ...(session === undefined ? [] : [{ key: `session ${session}`, limit: perSession }]),
    ]
    if (keys.some(({ key, limit }) => (this.#counts.get(key) ?? 0) >= limit)) throw refusal('too_many_requests')
    this.#add(keys, 1)
    let isReleased = false
    return () => {
      if (!isReleased) this.#add(keys, -1)
      isReleased = true
    }
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
