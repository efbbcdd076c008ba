/** Keys that are remembered. Beyond it, the one that passed first is forgotten. */
const MAX_KEYS = 500

/** Lets a repeated message through now and then, instead of each time. */
export interface RepeatGate {
  /** Returns the number of repetitions since the message last passed, or `undefined` if this one does not pass. */
  pass(key: string): number | undefined
}

/** @param everyMs the time in which a message passes once, in milliseconds. */
export function createRepeatGate(everyMs: number, nowMs: () => number = () => performance.now()): RepeatGate {
  const passed = new Map<string, { atMs: number; repeats: number }>()
  return {
    pass(key) {
      const known = passed.get(key)
      if (known && nowMs() - known.atMs < everyMs) {
        known.repeats++
        return undefined
      }
      passed.delete(key)
      const [oldest] = passed.keys()
      if (passed.size >= MAX_KEYS && oldest !== undefined) passed.delete(oldest)
      passed.set(key, { atMs: nowMs(), repeats: 0 })
      return known?.repeats ?? 0
    },
  }
}
