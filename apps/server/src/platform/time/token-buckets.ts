/** Keys in memory, about 10 MB. Beyond them the key that was unused for longest starts with a full bucket. */
const MAX_KEYS = 50_000

export interface BucketOptions {
  /** Tokens of a full bucket: how many may be taken in one burst. */
  readonly capacity: number
  /** How long an empty bucket takes to be full again. */
  readonly refillMs: number
  readonly maxKeys?: number
  /** A clock that never goes back. */
  readonly nowMs?: () => number
}

export interface Taking {
  readonly isTaken: boolean
  /** Whole tokens that are left. */
  readonly left: number
  /** How long until as many tokens can be taken. */
  readonly waitMs: number
  /** How long until the bucket is full. */
  readonly fullMs: number
}

/** One token bucket per key, in bounded memory. */
export class TokenBuckets {
  readonly capacity: number
  readonly #refillMs: number
  readonly #maxKeys: number
  readonly #nowMs: () => number
  /** The key that was used last comes last. */
  readonly #buckets = new Map<string, { readonly tokens: number; readonly atMs: number }>()

  constructor({ capacity, refillMs, maxKeys = MAX_KEYS, nowMs = () => performance.now() }: BucketOptions) {
    this.capacity = capacity
    this.#refillMs = refillMs
    this.#maxKeys = maxKeys
    this.#nowMs = nowMs
  }

  /** Takes tokens, unless the key's bucket has fewer. A full bucket is always enough. */
  take(key: string, count = 1): Taking {
    const nowMs = this.#nowMs()
    const wanted = Math.min(count, this.capacity)
    const tokens = this.#tokensOf(key, nowMs)
    const isTaken = tokens >= wanted
    const left = isTaken ? tokens - wanted : tokens
    this.#set(key, left, nowMs)
    const tokenMs = this.#refillMs / this.capacity
    return {
      isTaken,
      left: Math.floor(left),
      waitMs: Math.max(0, wanted - left) * tokenMs,
      fullMs: (this.capacity - left) * tokenMs,
    }
  }

  /** Returns tokens that were taken. */
  giveBack(key: string, count = 1): void {
    const nowMs = this.#nowMs()
    this.#set(key, Math.min(this.capacity, this.#tokensOf(key, nowMs) + Math.min(count, this.capacity)), nowMs)
  }

  get size(): number {
    return this.#buckets.size
  }

  #tokensOf(key: string, nowMs: number): number {
    const bucket = this.#buckets.get(key)
    if (!bucket) return this.capacity
    const refilled = ((nowMs - bucket.atMs) / this.#refillMs) * this.capacity
    return Math.min(this.capacity, bucket.tokens + refilled)
  }

  #set(key: string, tokens: number, atMs: number): void {
    this.#buckets.delete(key)
    const [oldest] = this.#buckets.size >= this.#maxKeys ? this.#buckets.keys() : []
    if (oldest !== undefined) this.#buckets.delete(oldest)
    this.#buckets.set(key, { tokens, atMs })
  }
}
