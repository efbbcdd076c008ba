import type { Ruled } from '../platform/rules/ruled.ts'

/** A rule that never changes. */
export function fixedRule<Value>(value: Value): Ruled<Value> {
  return { first: value, in: () => value, now: async () => value }
}
