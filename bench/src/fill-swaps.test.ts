import type { Database } from '@clearwell/ledger/database'
import { migrate } from '@clearwell/ledger/migrate'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillSwaps } from './fill-swaps.ts'

const USER = `0x${'a'.repeat(40)}`
let db: Database

beforeAll(async () => {
  // The audit of `openTestDatabase` would find the hashes that are not true.
  db = await openPgliteDatabase()
  await migrate(db, MIGRATION_FOLDERS)
  const opening = `array['vault', 'pool:bnb-usdt', 'user:${USER}:available', 'vault', 'pool:bnb-usdt', 'user:${USER}:available']`
  const assets = `array['BNB', 'BNB', 'BNB', 'USDT', 'USDT', 'USDT']`
  const units = 'array[-51e18, 50e18, 1e18, -31620e18, 31000e18, 620e18]::numeric[]'
  await db.script(`
    insert into entries values (1, 'fund', now(), '', sha256(''), ${opening}, ${assets}, ${units}, ${units});
    insert into owner_postings select * from postings where account not like 'pool%';
    insert into balances select account, asset, units from postings;
    insert into users (id, invite_code, nickname, created_at) values ('${USER}', 'real', '', now())`)
}, 60_000)
afterAll(() => db.close())

test('filled swaps leave books that add up', async () => {
  await fillSwaps(db, { swaps: 400, users: [USER], until: new Date() })

  const count = `select count(*)::integer as count from`
  expect(await db.query(`${count} entries where kind = 'swap'`)).toEqual([{ count: 400 }])
  expect(await db.query(`${count} swap_orders where user_id = $1`, [USER])).toEqual([{ count: 16 }])
  expect(
    await db.query(`select entry_seq from postings group by entry_seq, asset having sum(units) <> 0`),
    'entries that do not sum to zero',
  ).toEqual([])
  expect(
    await db.query(`
      select * from (select *, sum(units) over (partition by account, asset order by entry_seq, position) as summed from postings) p
      where summed <> balance_after`),
    'postings with another balance',
  ).toEqual([])
  expect(
    await db.query(`
      select account, asset, b.units, p.units as summed from balances b
      full join (select account, asset, sum(units) as units from postings group by 1, 2) p using (account, asset)
      where b.units is distinct from p.units`),
    'balances that are not the sums of their postings',
  ).toEqual([])
  const copies = `select * from postings where account = 'vault' or account like 'user:%'`
  expect(
    await db.query(
      `(${copies} except select * from owner_postings) union all (select * from owner_postings except ${copies})`,
    ),
    'copies by account that differ',
  ).toEqual([])
})
