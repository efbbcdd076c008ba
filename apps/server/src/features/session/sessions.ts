import type { SignedIn } from '../../platform/http/request-context.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { SessionStore } from './session.store.ts'
import { hashToken } from './sign-in.ts'

/** How long a session that was looked up is trusted without asking the database again. */
const CACHE_MS = 5_000
const CACHE_LIMIT = 50_000
/** How often the last use is written down. */
const TOUCH_EVERY_MS = 60_000

interface Known {
  readonly user: SignedIn
  lastUsedMs: number
  readonly checkedMs: number
}

/** Finds out who a token belongs to. */
export interface Sessions {
  /** `undefined` for a token that is unknown, revoked, or was not used for too long. */
  find(token: string): Promise<SignedIn | undefined>
  /** Revokes the session; at once here, within seconds on other servers. */
  revoke(user: SignedIn): Promise<void>
}

export function createSessions(store: SessionStore, clock: Clock, idleTtlMs: number): Sessions {
  const cache = new Map<string, Known>()
  let revocations = 0

  async function load(tokenHash: string, nowMs: number): Promise<Known | undefined> {
    const revocationsBefore = revocations
    const row = await store.session(tokenHash)
    if (!row || row.revoked_at || row.last_used_at.getTime() + idleTtlMs <= nowMs) return undefined
    if (cache.size >= CACHE_LIMIT) cache.clear()
    const user = { id: row.user_id, parentId: row.parent_id, tokenHash }
    const known = { user, lastUsedMs: row.last_used_at.getTime(), checkedMs: nowMs }
    // What was read before a revocation may be what it revoked: good for this request, not to be remembered.
    if (revocations === revocationsBefore) cache.set(tokenHash, known)
    return known
  }

  return {
    async find(token) {
      const tokenHash = hashToken(token)
      const nowMs = clock.now().getTime()
      let known = cache.get(tokenHash)
      if (!known || nowMs - known.checkedMs > CACHE_MS) {
        cache.delete(tokenHash)
        known = await load(tokenHash, nowMs)
      }
      if (!known) return undefined
      if (nowMs - known.lastUsedMs > TOUCH_EVERY_MS) {
        known.lastUsedMs = nowMs
        await store.touchSession(tokenHash, new Date(nowMs))
      }
      return known.user
    },
    async revoke(user) {
      await store.revokeSession(user.tokenHash, clock.now())
      revocations++
      cache.delete(user.tokenHash)
    },
  }
}
