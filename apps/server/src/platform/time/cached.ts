import type { Clock } from './clock.ts'

/** Values that are read once and shared by all callers until they are too old or dropped. */
export interface Cached<Key, Value> {
  get(key: Key): Promise<Value>
  /** The next caller reads again. */
  drop(): void
}

/**
 * Keeps what `read` returns for less than `maxAgeMs`. Concurrent callers share one read. A failed read is not kept.
 *
 * @example
 * const tickers = cached({ read: readTicker, maxAgeMs: 250, clock })
 * await tickers.get('BNBUSDT')
 */
export function cached<Key, Value>({
  read,
  maxAgeMs,
  clock,
}: {
  readonly read: (key: Key) => Promise<Value>
  readonly maxAgeMs: number
  readonly clock: Clock
}): Cached<Key, Value> {
  const entries = new Map<Key, { readonly value: Promise<Value>; readonly atMs: number }>()
  return {
    get(key) {
      const nowMs = clock.now().getTime()
      const kept = entries.get(key)
      // The clock may also have been moved back.
      if (kept && Math.abs(nowMs - kept.atMs) < maxAgeMs) return kept.value
      const entry = { value: read(key), atMs: nowMs }
      entries.set(key, entry)
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key)
      })
      return entry.value
    },
    drop: () => entries.clear(),
  }
}
