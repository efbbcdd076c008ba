import { isIPv6 } from 'node:net'
import { refusal } from '../ledger/refuse.ts'

/** How many streams may be open at once. Each costs a socket and some 20 kB. */
export interface StreamLimits {
  readonly inAll: number
  /** Behind one address many may sit: of a mobile network, of an office. */
  readonly perAddress: number
  /** Of one session: one for each tab. */
  readonly perSession: number
}

/** Counts open streams and refuses those beyond the limits. */
export class Places {
  readonly #limits: StreamLimits
  readonly #taken = new Map<string, number>()
  #count = 0

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /**
   * Takes a place. @returns what gives it back.
   *
   * @throws Refusal `not_ready` where the server is full, `too_many_requests` where the caller has enough.
   */
  take({ address, session }: { address: string; session: string | undefined }): () => void {
    const { inAll, perAddress, perSession } = this.#limits
    if (this.#count >= inAll) throw refusal('not_ready')
    const keys = [
      { key: `address ${networkOf(address)}`, limit: perAddress },
      ...(session === undefined ? [] : [{ key: `session ${session}`, limit: perSession }]),
    ]
    if (keys.some(({ key, limit }) => (this.#taken.get(key) ?? 0) >= limit)) throw refusal('too_many_requests')
    this.#add(keys, 1)
    let isTaken = true
    return () => {
      if (isTaken) this.#add(keys, -1)
      isTaken = false
    }
  }

  #add(keys: readonly { key: string }[], change: 1 | -1): void {
    this.#count += change
    for (const { key } of keys) {
      const count = (this.#taken.get(key) ?? 0) + change
      if (count === 0) this.#taken.delete(key)
      else this.#taken.set(key, count)
    }
  }
}

/** Who has an IPv6 address has 2^64 of them: its network counts. */
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
