import type { ActiveStatus } from './activation.queries.ts'

/** The activation info has a key of its own in local storage (specification §3). */
const KEY = 'clearwell.activation'

export function cacheActiveStatus(address: string, status: ActiveStatus): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ address, status }))
  } catch {
    // Without room the next page load asks the server first.
  }
}

/** What was answered last, if it was for this very address. */
export function cachedActiveStatus(address: string): ActiveStatus | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { address: string; status: ActiveStatus } | null
    return kept?.address === address ? kept.status : undefined
  } catch {
    return undefined
  }
}
