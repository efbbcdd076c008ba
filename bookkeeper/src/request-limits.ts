const WINDOW_MS = 60_000
const MAX_ADDRESSES = 10_000

/** Counts requests of each network address, and allows so many a minute. */
export class RequestLimits {
  readonly #perMinute: number
  readonly #nowMs: () => number
  #counts = new Map<string, number>()
  #window = 0

  constructor(perMinute: number, nowMs: () => number) {
    this.#perMinute = perMinute
    this.#nowMs = nowMs
  }

  /** Counts one request. Returns the seconds to wait if it is one too many. */
  refuse(address: string): number | undefined {
    const nowMs = this.#nowMs()
    const window = Math.floor(nowMs / WINDOW_MS)
    if (window !== this.#window) {
      this.#window = window
      this.#counts = new Map()
    }
    const key = networkOf(address)
    const count = this.#counts.get(key) ?? 0
    const isFull = count === 0 && this.#counts.size >= MAX_ADDRESSES
    if (isFull || count >= this.#perMinute) return Math.ceil(((window + 1) * WINDOW_MS - nowMs) / 1_000)
    this.#counts.set(key, count + 1)
    return undefined
  }
}

/** A household has one address of IPv4, and the first half of one of IPv6. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const parts = head === '' ? [] : head.split(':')
  if (tail === undefined) return parts.slice(0, 4).join(':')
  return [...parts, '0', '0', '0', '0'].slice(0, 4).join(':')
}
