import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditBooks, auditSince } from './audit.ts'
import type { Database } from './database.ts'
import { LEDGER_MIGRATIONS } from './migrate.ts'
import { expectBooksBalanced, openTestDatabase } from './testing/database.ts'
import { Writer } from './writer.ts'

const MONDAY = new Date('2026-11-23T09:00:00Z')
const TUESDAY = new Date('2026-11-24T00:00:00Z')
const USER = 'user:a:available'

let db: Database
let writer: Writer
let now = MONDAY

beforeEach(async () => {
  db = await openTestDatabase([LEDGER_MIGRATIONS])
  now = MONDAY
  let ids = 0
  const clock = { now: () => now }
  writer = await Writer.open({
    db,
    clock,
    randomId: () => `${ids++}`,
    holder: 'test',
    leaseTtlMs: 2_000,
    exclusive: true,
  })
  await pay(100n)
  await pay(20n)
  now = new Date('2026-11-24T09:00:00Z')
  await pay(3n)
})

afterEach(async () => {
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

function pay(units: bigint) {
  const postings = [
    { account: 'vault', asset: 'USDT', units: -units },
    { account: USER, asset: 'USDT', units },
  ]
  const entries = [{ kind: 'deposit', reference: '', postings }]
  const decide = () => ({ entries, response: null })
  return writer.execute({ kind: 'pay', owner: 'test', payload: {}, preload: [], decide })
}

test('an audit since a time reads only the entries from then on', async () => {
  expect(await auditSince(db, TUESDAY)).toEqual({ faults: [], after: 2n })
  expect(await auditSince(db, new Date(0))).toEqual({ faults: [], after: 0n })
  expect(await auditSince(db, new Date('2026-11-25'))).toEqual({ faults: [], after: 3n })
})

test.each([
  [
    'a balance',
    `update balances set units = units + $n where account = '${USER}'`,
    [`${USER} has a balance of 124 USDT but its postings sum to 123`],
  ],
  [
    'a copy',
    'update owner_postings set balance_after = balance_after + $n where entry_seq = 3 and position = 1',
    ['owner_postings differs from entry 3'],
  ],
  [
    'an entry',
    "update entries set at = at + $n * interval '1 second' where seq = 3",
    ['the hash chain breaks at entry 3'],
  ],
  ['an entry before', "update entries set at = at + $n * interval '1 second' where seq = 2", []],
])('an audit since Tuesday finds a change of %s', async (_what, change, faults) => {
  await changeBy(change, 1)
  expect((await auditSince(db, TUESDAY)).faults).toEqual(faults)
  expect(await auditBooks(db)).not.toEqual([])
  await changeBy(change, -1)
})

async function changeBy(change: string, times: number): Promise<void> {
  const triggers = (act: string) =>
    db.script(`alter table entries ${act} trigger entries_append_only;
      alter table owner_postings ${act} trigger owner_postings_append_only`)
  await triggers('disable')
  await db.script(change.replace('$n', `(${times})`))
  await triggers('enable')
}
