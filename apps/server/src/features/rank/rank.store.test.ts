import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rankPoints } from '../../domain/ranks/rank-points.ts'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { rankPower } from './keep-ranks.ts'
import { addGains, COUNTED_PLACES, createRankStore, type Gain } from './rank.store.ts'

const NOW = new Date('2026-11-22T10:00:00Z')
const USERS = Array.from({ length: 6 }, (_, index) => `0x${String(index).repeat(40)}`)
const userAt = (index: number) => USERS[index] as string

let db: Database
let store: ReturnType<typeof createRankStore>
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  store = createRankStore(db)
  await db.query(
    `insert into users (id, invite_code, nickname, created_at) select id, id, '', $2 from unnest($1::text[]) as id`,
    [USERS, NOW],
  )
})
afterAll(() => db.close())

const gain = (userId: string, units: bigint, at = NOW): Gain => ({ board: 'volume', userId, units, at })
const add = (gains: readonly Gain[]) => db.transaction((tx) => addGains(tx, gains))
const places = async (bucket: string) => (await store.first('volume', bucket, 100)).map(({ user_id }) => user_id)

test('places equal a sort of all gains, ties by who was first', async () => {
  const gains = fc.array(fc.record({ user: fc.nat(5), units: fc.bigInt(1n, 3n), batch: fc.boolean() }), {
    minLength: 1,
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(gains, async (each) => {
      await db.query('delete from rank_scores')
      const scores = new Map<string, { score: bigint; turn: number }>()
      let batch: Gain[] = []
      for (const [turn, { user, units, batch: ends }] of each.entries()) {
        const before = scores.get(userAt(user))
        scores.set(userAt(user), { score: (before?.score ?? 0n) + units, turn })
        batch.push(gain(userAt(user), units))
        if (!ends) continue
        await add(batch)
        batch = []
      }
      await add(batch)
      const sorted = [...scores].toSorted(([, a], [, b]) => Number(b.score - a.score) || a.turn - b.turn)
      expect(await places('all')).toEqual(sorted.map(([user]) => user))
      for (const [index, [user, { score }]] of sorted.entries())
        expect(await store.own('volume', 'all', user)).toEqual({ score, ahead: index })
    }),
    { numRuns: 12 },
  )
})

test('a gain counts in its day and its week of Hong Kong', async () => {
  await db.query('delete from rank_scores')
  const [sunday, monday] = [new Date('2026-11-22T15:59:59Z'), new Date('2026-11-22T16:00:00Z')]
  await add([gain(userAt(0), 5n, sunday), gain(userAt(1), 3n, monday)])
  expect([await places('day:2026-11-22'), await places('day:2026-11-23')]).toEqual([[userAt(0)], [userAt(1)]])
  expect([await places('week:2026-11-16'), await places('week:2026-11-23')]).toEqual([[userAt(0)], [userAt(1)]])
  expect(await places('all')).toEqual([userAt(0), userAt(1)])
})

test('a place is counted up to the last counted one', async () => {
  await db.query('delete from rank_scores')
  await db.query(
    `insert into users (id, invite_code, nickname, created_at)
     select '0xa' || lpad(number::text, 39, '0'), 'rank' || number, '', now() from generate_series(1, $1::integer) as number`,
    [COUNTED_PLACES + 5],
  )
  await db.query(
    `insert into rank_scores (board, bucket, user_id, score, earliness, is_hidden)
     select 'volume', 'all', id, 2, -number, false from users where invite_code like 'rank%'`,
  )
  await add([gain(userAt(0), 1n)])
  expect(await store.own('volume', 'all', userAt(0))).toEqual({ score: 1n, ahead: COUNTED_PLACES })
})

test('points of boxes are added once', async () => {
  const point = { id: 'box:click', board: 'power', user_id: userAt(2), points: 1_200n, at: NOW }
  const { text, params } = rankPoints.saveStatement([point, { ...point, id: 'other:click', points: 300n }])
  await db.query(text, params)
  const run = { input: null, state: undefined, dueAt: NOW, now: NOW, stepKey: '' }
  for (let times = 0; times < 2; times++) expect(await db.transaction((tx) => rankPower.step(tx, run))).toBe('done')
  expect(await store.own('power', 'day:2026-11-22', userAt(2))).toEqual({ score: 1_500n, ahead: 0 })
})
