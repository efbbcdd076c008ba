import { call } from '../../../api/client.ts'
import { fetchConfig } from '../../../api/config.ts'
import { keptCheckOf, triedAtOf } from './kept-check.ts'
import { checkBalance } from './run-check.ts'

/** Paths are given out for one header an hour. */
const HOUR_MS = 3_600_000

/**
 * Checks the balance of the account once an hour at most, and only if there is a header after the checked one. Failures to check are
 * silent: the next visit tries again.
 */
export async function checkQuietly(owner: string, nowMs = Date.now()): Promise<void> {
  const tried = triedAtOf(owner)
  if (!isDue(tried.get(), nowMs) || !navigator.onLine) return
  tried.set(nowMs)
  try {
    const { proof_keys: keys } = await fetchConfig()
    if (!keys) return
    const kept = keptCheckOf(owner).get()?.signed
    const newest = await call('proofHeader', {})
    if (kept && newest.number === kept.number && newest.hash === kept.hash) return
  } catch {
    return
  }
  await checkBalance(owner, { isQuiet: true })
}

/** Returns whether an hour has passed. A time of the future was noted with another clock. */
export function isDue(triedAtMs: number | undefined, nowMs: number): boolean {
  return triedAtMs === undefined || triedAtMs > nowMs || nowMs - triedAtMs >= HOUR_MS
}
