import { hash, randomBytes } from 'node:crypto'
import { PRIMARY_READS, type Reads } from '../database/reads.ts'
import type { SignedIn } from '../http/request-context.ts'
import type { FindSession } from '../http/signed-in.ts'
import type { Clock } from '../time/clock.ts'
import type { SessionRow, SessionStore } from './session.store.ts'

/** How long a loaded session is used without asking the database again. */
const CACHE_MS = 5_000
const CACHE_LIMIT = 50_000
/** How often the last use is stored. */
const STORE_USE_EVERY_MS = 60_000

interface Known {
  readonly user: SignedIn
  lastUsedMs: number
  readonly checkedMs: number
}

/** Sessions: a random token that identifies its user until it is revoked or idle for too long. */
export interface Sessions {
  /** Begins a session. Returns the token, which is stored as a hash only. */
  begin(userId: string): Promise<string>
  /** `undefined` for a token that is unknown, revoked, or idle for too long. */
  readonly find: FindSession
  /** Returns the user of a session that this server has loaded, without asking the database. It may have ended since. */
  peek(token: string): SignedIn | undefined
  /** Revokes the session: immediately on this server, within seconds on others. */
  revoke(user: SignedIn): Promise<void>
  /** The sessions among these token hashes that `find` would still accept. */
  open(tokenHashes: readonly string[]): Promise<ReadonlySet<string>>
}

/** @param reads where sessions are looked up; the primary where absent. Their use is stored on the primary, or not at all while it is away. */
export function createSessions(
  store: SessionStore,
  clock: Clock,
  idleTtlMs: number,
  reads: Reads = PRIMARY_READS,
): Sessions {
  const cache = new Map<string, Known>()
  let revocations = 0

  /** Reads a session from the database and caches it. */
  async function load(
    tokenHash: string,
    nowMs: number,
    read: () => Promise<SessionRow | undefined>,
  ): Promise<Known | undefined> {
    const revocationsBefore = revocations
    const row = await read()
    cache.delete(tokenHash)
    if (!row || row.revoked_at || row.last_used_at.getTime() + idleTtlMs <= nowMs) return undefined
    // The session that was loaded the longest ago makes room.
    const [oldest] = cache.size >= CACHE_LIMIT ? cache.keys() : []
    if (oldest !== undefined) cache.delete(oldest)
    const user = { id: row.user_id, parentId: row.parent_id, tokenHash }
    const known = { user, lastUsedMs: row.last_used_at.getTime(), checkedMs: nowMs }
    // A revocation may have happened since the row was read: use it for this request only.
    if (revocations === revocationsBefore) cache.set(tokenHash, known)
    return known
  }

  /** Stores the use, which also checks the session. Requests that arrive meanwhile do not store it again. */
  function use(tokenHash: string, known: Known, nowMs: number): Promise<Known | undefined> {
    known.lastUsedMs = nowMs
    return load(tokenHash, nowMs, () => store.use(tokenHash, new Date(nowMs), new Date(nowMs - idleTtlMs)))
  }

  return {
    async begin(userId) {
      const token = randomBytes(32).toString('base64url')
      await store.insert(hashToken(token), userId, clock.now())
      return token
    },
    async find(token, tokenHash = hashToken(token)) {
      const nowMs = clock.now().getTime()
      const isUseDue = ({ lastUsedMs }: Known) => nowMs - lastUsedMs > STORE_USE_EVERY_MS
      const isOld = ({ checkedMs }: Known) => nowMs - checkedMs > CACHE_MS
      let known = cache.get(tokenHash)
      if (!known || (isOld(known) && !isUseDue(known)))
        known = await load(tokenHash, nowMs, () => reads.run(() => store.session(tokenHash)))
      if (known && isUseDue(known) && !(await reads.isPrimaryAway())) known = await use(tokenHash, known, nowMs)
      return known?.user
    },
    peek: (token) => cache.get(hashToken(token))?.user,
    async revoke(user) {
      await store.revoke(user.tokenHash, clock.now())
      revocations++
      cache.delete(user.tokenHash)
    },
    open: (tokenHashes) => store.open(tokenHashes, new Date(clock.now().getTime() - idleTtlMs)),
  }
}

/** Tokens are random, so a plain hash is enough to keep them unreadable in the database. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
