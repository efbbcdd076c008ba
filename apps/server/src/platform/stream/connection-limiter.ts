import { isIPv6 } from 'node:net'
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
      { key: `address ${networkOf(address)}`, limit: perAddress },
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

/** The owner of an IPv6 address has 2^64 of them, so its network counts. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const v4 = right.at(-1)
  if (v4?.includes('.')) return v4
  const missing = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
