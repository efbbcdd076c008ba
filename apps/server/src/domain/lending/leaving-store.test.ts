import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { DAY_MS } from '@clearwell/rules/spans'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { createLeavingStore } from './lending.store.ts'

const NOW = new Date('2026-11-22T00:00:00Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS)
const user = (digit: string) => `0x${digit.repeat(40)}`

let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  const exits = [
    { id: user('a'), state: 'open', days: 1 },
    { id: user('b'), state: 'open', days: 3 },
    { id: user('c'), state: 'requested', days: 2 },
    { id: user('d'), state: 'open', days: 8 },
    { id: user('e'), state: 'open', days: 2 },
  ]
  for (const { id, state, days } of exits) {
    await db.query('insert into users (id, invite_code, nickname, created_at) values ($1, $1, $1, $2)', [id, NOW])
    await db.query('insert into exits (id, state, exit_at, block, changed_at) values ($1, $2, $3, 1, $3)', [
      ...[id, state, daysAgo(days)],
    ])
    const text = `insert into pledges (id, user_id, asset, shares, pledged, withdrawn, changed_at)
      select asset || ':' || $1::text, $1, asset, 700, 7, 0, $2 from unnest($3::text[]) asset`
    await db.query(text, [id, NOW, arrayLiteral(id === user('e') ? ['BNB'] : ['BNB', 'USDT'])])
  }
  await db.query(`update pledges set shares = 0 where id = $1`, [`USDT:${user('a')}`])
  await db.query(`insert into pledge_returns values ('ETH', 5, $1), ('RT', 0, $1)`, [NOW])
})
afterAll(() => db.close())

test('confirmed exits of seven days come by the oldest request', async () => {
  const store = createLeavingStore(db)
  expect(await store.leaving(daysAgo(7), 2)).toEqual([
    { asset: 'BNB', accounts: [user('b'), user('e')], others: 700n },
    { asset: 'ETH', accounts: [], others: 0n },
    { asset: 'USDT', accounts: [user('b')], others: 0n },
  ])
})
