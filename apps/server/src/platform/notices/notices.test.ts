import { randomUUID } from 'node:crypto'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { randomFrom } from '../../testing/random-from.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { createJobs } from '../jobs/jobs.ts'
import type { NoticeDraft } from './notice.store.ts'
import { createNotices } from './notices.ts'
import { retainNotices } from './retain-notices.ts'
import { unsentNotices } from './unsent-notices.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const DAY_MS = 86_400_000
const ALICE = `0x${'a'.repeat(40)}`
const BOB = `0x${'b'.repeat(40)}`

let db: Database
beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  await insertUsers(db)
})
afterEach(() => db.close())

const insertUsers = (on: Database) =>
  on.query(
    `insert into users (id, invite_code, nickname, created_at)
     select id, id, 'name', $2 from unnest($1::text[]) as id`,
    [[ALICE, BOB], NOW],
  )

function draft(key: string, userId = ALICE): NoticeDraft {
  const params = { symbol: 'BNBUSDT', direction: 'above', price: '700', price_seen: '701' } as const
  return { userId, kind: 'price_alert', key, params, link: '/markets/BNBUSDT' }
}

/** The notices of one server, whose timer is the test. */
function server() {
  const published: string[] = []
  const notices = createNotices({
    db,
    publish: (userId, { name, data }) => {
      expect(name).toBe('notice')
      published.push(`${userId === ALICE ? 'alice' : 'bob'} ${(data as { id: string }).id}`)
    },
    onError: (error) => {
      throw error
    },
  })
  const send = (drafts: readonly NoticeDraft[]) => db.transaction((tx) => notices.send(tx, drafts, NOW))
  return { ...notices, send, published }
}
const keysOf = async (userId = ALICE) =>
  (await server().list(userId, { below: undefined, limit: 1_000 })).map(({ key }) => key)

test('a notice is sent once per key, across batches and servers', async () => {
  const { send } = server()
  await send([draft('a'), draft('b'), draft('a'), draft('a', BOB)])
  await send([draft('a'), draft('c')])
  await Promise.all([send([draft('d'), draft('e')]), send([draft('e'), draft('d')]), send([draft('d')])])
  await send([])
  expect((await keysOf()).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(await keysOf(BOB)).toEqual(['a'])
})

/** Commits drafts as a command of the writer does. */
async function decide(...drafts: readonly NoticeDraft[]): Promise<void> {
  const row = { id: randomUUID(), drafts: JSON.stringify(drafts), decided_at: NOW }
  const { text, params } = unsentNotices.saveStatement([row])
  await db.query(text, params)
}

test('two servers send notices of commands once, also after a death', async () => {
  const dying = {
    ...db,
    transaction: <Result>(work: (tx: Queryable) => Promise<Result>) =>
      db.transaction<Result>(async (tx) => {
        await work(tx)
        throw new Error('this server is dead')
      }),
  }
  const servers = [server(), server()]
  for (const each of servers) await each.check()
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) await decide(draft(key), draft('a'), draft(key, BOB))
  const dead = createNotices({ db: dying, publish: () => expect.unreachable(), onError: throwIt })
  await expect(dead.check()).rejects.toThrow('this server is dead')
  await Promise.all(servers.map((each) => each.check()))
  // Now each reads what the other one has sent.
  for (const each of servers) await each.check()
  expect((await keysOf()).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
  expect(await keysOf(BOB)).toHaveLength(9)
  for (const { published } of servers) expect([published.length, new Set(published).size]).toEqual([18, 18])
  expect(await db.query('select from unsent_notices')).toEqual([])
})

test.each([1, 2, 3])('notices sent together are those sent alone, for list %i', async (seed) => {
  const random = randomFrom(seed)
  const { send } = server()
  const drafts = Array.from({ length: 200 }, (_, index) => ({
    ...draft(`key ${random(80)}`, [ALICE, BOB][random(2)]),
    link: `/${index}`,
  }))
  const rows = () => db.query('select user_id, kind, key, params, link, created_at from notices order by id')
  for (let from = 0; from < drafts.length; ) {
    const count = 1 + random(50)
    await send(drafts.slice(from, from + count))
    from += count
  }
  const together = await rows()
  await db.script('truncate notices')
  for (const each of drafts) await send([each])
  expect(await rows()).toEqual(together)
})

test('a push holds a kind and its figures, no name or amount', async () => {
  await db.query(`insert into sessions (token_hash, user_id, created_at, last_used_at) values ('hash', $1, $2, $2)`, [
    ALICE,
    NOW,
  ])
  await db.query(
    `insert into push_subscriptions (id, endpoint, user_id, session_hash, p256dh, auth, language, created_at)
     values ('device', 'https://push.example', $1, 'hash', 'key', 'auth', 'en', $2)`,
    [ALICE, NOW],
  )
  const of = { userId: ALICE, key: 'a', link: null }
  const loan = { order_id: 'a', asset: 'USDT', borrowed: '380' } as const
  const upgrade = { request_id: 'a', star: 2 }
  const box = { box_id: 'a', day: '2026-11-21', reward: [], expires_at: NOW.toISOString() }
  const drafts: NoticeDraft[] = [
    draft('a'),
    { ...of, kind: 'loan_warning', params: { ...loan, percent: 80 } },
    { ...of, kind: 'loan_reminder', params: { ...loan, hours: 1 } },
    { ...of, kind: 'loan_to_be_cleared', params: loan },
    { ...of, kind: 'loan_liquidated', params: loan },
    { ...of, kind: 'upgrade_requested', params: { ...upgrade, name: 'Bob' } },
    { ...of, kind: 'upgrade_passed', params: upgrade },
    { ...of, kind: 'lead_activated', params: { lead: '0xbbbb…bbbb' } },
    { ...of, kind: 'level_up', params: { level: 3 } },
    { ...of, kind: 'box_claimable', params: box },
    { ...of, kind: 'box_expiring', params: box },
  ]
  const notices = createNotices({ db, publish: () => {}, pushes: true, onError: throwIt })
  for (let times = 0; times < 2; times++) await db.transaction((tx) => notices.send(tx, drafts, NOW))
  const rows = await db.query<{ body: object }>('select body from alert_pushes order by alert_id')
  const bodies = rows.map(({ body }) => JSON.stringify(body, Object.keys(body).toSorted()))
  expect(bodies.toSorted()).toEqual(
    [
      '{"kind":"lead_activated"}',
      '{"kind":"level_up","level":3}',
      '{"kind":"loan_liquidated"}',
      '{"hours":1,"kind":"loan_reminder"}',
      '{"kind":"loan_to_be_cleared"}',
      '{"kind":"loan_warning","percent":80}',
      '{"kind":"upgrade_passed","star":2}',
      '{"kind":"upgrade_requested","star":2}',
    ].toSorted(),
  )
})

test('a rolled-back transaction sends nothing', async () => {
  const { send } = server()
  const rolledBack = db.transaction(async (tx) => {
    await createNotices({ db, publish: () => {}, onError: throwIt }).send(tx, [draft('a')], NOW)
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await send([draft('b')])
  expect(await keysOf()).toEqual(['b'])
})

test('every server publishes each notice once, in order, from its start on', async () => {
  const { send } = server()
  await send([draft('before')])
  const servers = [server(), server()]
  for (const each of servers) await each.check()
  await send([draft('a'), draft('b', BOB)])
  await send([draft('c')])
  for (const each of servers) {
    await each.check()
    await each.check()
    expect(each.published).toEqual(['alice 2', 'bob 3', 'alice 4'])
  }
})

test('reading marks notices of their owner only, and counts what is left', async () => {
  const { send, markRead, countUnread, list } = server()
  await send([draft('a'), draft('b'), draft('c'), draft('d', BOB)])
  await markRead(ALICE, { ids: [1n, 4n, 999n] }, NOW)
  expect([await countUnread(ALICE), await countUnread(BOB)]).toEqual([2, 1])
  await markRead(BOB, { kind: 'price_alert', key: 'b' }, NOW)
  await markRead(ALICE, { kind: 'price_alert', key: 'b' }, NOW)
  expect([await countUnread(ALICE), await countUnread(BOB, 'price_alert')]).toEqual([1, 1])
  await markRead(ALICE, { kind: 'price_alert' }, new Date(NOW.getTime() + 1))
  // The first reading counts.
  const rows = await list(ALICE, { kind: 'price_alert', below: 3n, limit: 10 })
  expect(rows.map(({ id, read_at }) => [id, read_at])).toEqual([
    [2n, NOW],
    [1n, NOW],
  ])
})

test('read notices are deleted after the configured time, unread ones stay', async () => {
  let nowMs = NOW.getTime()
  const { send, markRead } = server()
  await send(Array.from({ length: 2_500 }, (_, index) => draft(`read ${index}`, index % 2 ? ALICE : BOB)))
  await markRead(ALICE, { kind: 'price_alert' }, NOW)
  await markRead(BOB, { kind: 'price_alert' }, new Date(nowMs + DAY_MS))
  await send([draft('unread')])
  const jobs = createJobs({ db, clock: { now: () => new Date(nowMs) }, isLeader: () => true, onError: throwIt })
  jobs.add([retainNotices({ keepReadMs: 90 * DAY_MS })])
  await jobs.runDue()
  nowMs += 90 * DAY_MS
  await jobs.runDue()
  expect((await keysOf()).length).toBe(500)
  nowMs += 3_600_000
  await jobs.runDue()
  expect(await keysOf()).toEqual(['unread'])
  expect((await keysOf(BOB)).length).toBe(500)
  nowMs += DAY_MS
  await jobs.runDue()
  expect(await keysOf(BOB)).toEqual([])
})

test('the newest 500 notices of a user stay', async () => {
  let nowMs = NOW.getTime()
  const { send } = server()
  await send(Array.from({ length: 600 }, (_, index) => draft(String(index))))
  await send([draft('one', BOB)])
  const jobs = createJobs({ db, clock: { now: () => new Date(nowMs) }, isLeader: () => true, onError: throwIt })
  jobs.add([retainNotices({ keepReadMs: 90 * DAY_MS })])
  await jobs.runDue()
  nowMs += DAY_MS
  await jobs.runDue()
  const keys = await keysOf()
  expect([keys.length, keys[0], keys.at(-1)]).toEqual([500, '599', '100'])
  expect(await keysOf(BOB)).toEqual(['one'])
})

function throwIt(error: unknown): never {
  throw error
}
