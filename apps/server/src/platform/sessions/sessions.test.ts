import { beforeEach, describe, expect, test } from 'vitest'
import type { SessionStore } from './session.store.ts'
import { createSessions, hashToken, type Sessions } from './sessions.ts'

const IDLE_TTL_MS = 7 * 24 * 3600_000
const START_MS = Date.UTC(2026, 10, 21)

let nowMs: number
let row: { user_id: string; parent_id: null; last_used_at: Date; revoked_at: Date | null } | undefined
let usesStored: Date[]
let reads: number
/** Runs between the database's response and its arrival. */
let beforeArrival: () => Promise<void>
let isPrimaryAway: boolean
let sessions: Sessions

beforeEach(() => {
  nowMs = START_MS
  row = { user_id: '0xabc', parent_id: null, last_used_at: new Date(START_MS), revoked_at: null }
  usesStored = []
  reads = 0
  beforeArrival = async () => {}
  isPrimaryAway = false
  const store: Pick<SessionStore, 'session' | 'use' | 'revoke'> = {
    async session(tokenHash) {
      reads++
      const response = tokenHash === hashToken('token') && row ? { ...row } : undefined
      await beforeArrival()
      return response
    },
    async use(_tokenHash, now, usedAfter) {
      if (!row || row.revoked_at || row.last_used_at <= usedAfter) return undefined
      usesStored.push(now)
      row.last_used_at = now
      return { ...row }
    },
    async revoke(_tokenHash, now) {
      if (row) row.revoked_at = now
    },
  }
  sessions = createSessions(store as SessionStore, { now: () => new Date(nowMs) }, IDLE_TTL_MS, {
    run: (read) => read(),
    isPrimaryAway: async () => isPrimaryAway,
  })
})

const isGood = async () => (await sessions.find('token')) !== undefined

describe('sessions', () => {
  test('a session is valid until the last millisecond of seven idle days', async () => {
    nowMs = START_MS + IDLE_TTL_MS - 1
    expect(await isGood()).toBe(true)
  })

  test('a session ends after seven idle days', async () => {
    nowMs = START_MS + IDLE_TTL_MS
    expect(await isGood()).toBe(false)
  })

  test('a polled session rarely reads and stores its use each minute', async () => {
    for (let second = 0; second < 120; second++) {
      nowMs += 1_000
      expect(await isGood()).toBe(true)
    }
    expect(reads).toBeLessThanOrEqual(24)
    expect(usesStored).toEqual([new Date(START_MS + 61_000)])
  })

  test('a session goes on, its use unstored, while the primary is away', async () => {
    isPrimaryAway = true
    nowMs += 61_000
    expect(await isGood()).toBe(true)
    expect(usesStored).toEqual([])
    isPrimaryAway = false
    expect(await isGood()).toBe(true)
    expect(usesStored).toEqual([new Date(nowMs)])
  })

  test('a session that another server revoked ends here within seconds', async () => {
    expect(await isGood()).toBe(true)
    if (row) row.revoked_at = new Date(nowMs)
    nowMs += 5_001
    expect(await isGood()).toBe(false)
  })

  test('a session ends immediately on the server that revokes it', async () => {
    const user = await sessions.find('token')
    if (!user) throw new Error('the session should be good')
    await sessions.revoke(user)
    expect(await isGood()).toBe(false)
  })

  test('a revocation during a lookup is not undone', async () => {
    const user = { id: '0xabc', parentId: null, tokenHash: hashToken('token') }
    beforeArrival = () => sessions.revoke(user)
    await sessions.find('token')
    beforeArrival = async () => {}
    expect(await isGood()).toBe(false)
  })

  test('a loaded session needs no query until it has ended', async () => {
    expect(sessions.peek('token')).toBeUndefined()
    await sessions.find('token')
    nowMs += 5_001
    expect(sessions.peek('token')).toMatchObject({ id: '0xabc' })
    expect(reads).toBe(1)
    if (row) row.revoked_at = new Date(nowMs)
    await sessions.find('token')
    expect(sessions.peek('token')).toBeUndefined()
  })

  test('an unknown token becomes valid once its session exists', async () => {
    const later = row
    row = undefined
    expect(await isGood()).toBe(false)
    row = later
    expect(await isGood()).toBe(true)
  })
})
