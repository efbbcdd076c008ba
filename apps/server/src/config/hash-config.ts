import { hash } from 'node:crypto'

/** Hex characters of the hash: enough to tell configurations apart at a glance. */
const LENGTH = 12

/**
 * Returns a short hash of the configuration file's values. Two servers with the same values have the same hash, in any order
 * and format of the file. The environment, which holds secrets and differs between servers, is not part of it.
 */
export function hashConfig({ env: _env, ...values }: { readonly env: unknown }): string {
  return hash('sha256', JSON.stringify(sorted(values))).slice(0, LENGTH)
}

/** The same value with the keys of every object in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}
