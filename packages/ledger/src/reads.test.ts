import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { findMovedBalances, readBalances, readPastBalances, sumBalances } from './read-balances.ts'
import {
  type PostingCursor,
  type PostingQuery,
  readPostingPage,
  readPostings,
  readRange,
  readUserPostings,
  sumPostings,
} from './read-postings.ts'
import { countEntries, findOutcome, readLease, readOneMoment, readTip } from './reads.ts'
import { Refusal } from './refusal.ts'
import { expectBooksBalanced, openTestDatabase } from './testing/database.ts'
import { Writer } from './writer.ts'

const ANN = 'user:ann:available'
const ANN_LOCKED = 'user:ann:locked'
const BEN = 'user:ben:available'
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 9, minute))

let db: Database
let writer: Writer
let now = at(0)

/** Four entries a minute apart: two deposits of Ann's, one of Ben's, and a lock of Ann's. */
beforeEach(async () => {
  db = await openTestDatabase()
  now = at(0)
  writer = await Writer.open({
    db,
    clock: { now: () => now },
    randomId: () => 'id',
    holder: 'test',
    leaseTtlMs: 60_000,
    exclusive: true,
  })
  for (const [minute, kind, from, to, asset, units] of [
    [1, 'deposit', 'vault', ANN, 'USDT', 10n],
    [2, 'deposit', 'vault', ANN, 'BNB', 5n],
    [3, 'deposit', 'vault', BEN, 'USDT', 7n],
    [4, 'lock', ANN, ANN_LOCKED, 'USDT', 4n],
  ] as const) {
    now = at(minute)
    await writer.execute({
      kind,
      owner: 'ann',
      key: `key-${minute}`,
      payload: {},
      preload: [],
      decide: () => ({
        entries: [
          {
            kind,
            reference: `at ${minute}`,
            postings: [
              { account: from, asset, units: -units },
              { account: to, asset, units },
            ],
          },
        ],
        response: { minute },
      }),
    })
  }
})
afterEach(async () => {
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

const query = (changes: Partial<PostingQuery> = {}): PostingQuery => ({
  accounts: [ANN, ANN_LOCKED],
  asset: undefined,
  kinds: undefined,
  range: { from: 1n, to: 4n },
  order: 'newest_first',
  after: undefined,
  limit: 10,
  ...changes,
})
const places = async (changes: Partial<PostingQuery>) =>
  (await readPostings(db, query(changes))).map((row) => `${row.entry_seq}-${row.position}`)

test('reads only the balances of the requested accounts', async () => {
  expect(await readBalances(db, [ANN, 'user:cleo:available'])).toEqual(
    expect.arrayContaining([
      { account: ANN, asset: 'USDT', units: 6n },
      { account: ANN, asset: 'BNB', units: 5n },
    ]),
  )
  expect(await readBalances(db, [ANN, 'user:cleo:available'])).toHaveLength(2)
})

test('reads past balances without those of zero', async () => {
  expect(await readPastBalances(db, [ANN, ANN_LOCKED], [at(0), at(1), at(4)])).toEqual(
    expect.arrayContaining([
      { index: 1, account: ANN, asset: 'USDT', units: 10n },
      { index: 2, account: ANN, asset: 'USDT', units: 6n },
      { index: 2, account: ANN, asset: 'BNB', units: 5n },
      { index: 2, account: ANN_LOCKED, asset: 'USDT', units: 4n },
    ]),
  )
  expect(await readPastBalances(db, [ANN, ANN_LOCKED], [at(0), at(1), at(4)])).toHaveLength(4)
})

test('sums balances by account, all users together', async () => {
  expect(await sumBalances(db)).toEqual([
    { account: 'user:*:available', asset: 'BNB', units: 5n },
    { account: 'user:*:available', asset: 'USDT', units: 13n },
    { account: 'user:*:locked', asset: 'USDT', units: 4n },
    { account: 'vault', asset: 'BNB', units: -5n },
    { account: 'vault', asset: 'USDT', units: -17n },
  ])
})

test('finds a balance that was changed by hand', async () => {
  expect(await findMovedBalances(db, 'vault')).toEqual([])
  await db.query(`update balances set units = -6 where account = 'vault' and asset = 'BNB'`)
  expect(await findMovedBalances(db, 'vault')).toEqual(['BNB'])
  await db.query(`update balances set units = -5 where account = 'vault' and asset = 'BNB'`)
})

test("finds the entries from a period's start until before its end", async () => {
  expect(await readRange(db, {})).toEqual({ from: 1n, to: 4n })
  expect(await readRange(db, { from: at(2), to: at(4) })).toEqual({ from: 2n, to: 3n })
  expect(await readRange(db, { from: at(5) })).toEqual({ from: 1n, to: 0n })
})

test('reads postings page by page, in both orders', async () => {
  expect(await places({})).toEqual(['4-1', '4-0', '2-1', '1-1'])
  expect(await places({ order: 'oldest_first' })).toEqual(['1-1', '2-1', '4-0', '4-1'])
  expect(await places({ limit: 2 })).toEqual(['4-1', '4-0'])
  expect(await places({ after: { seq: 4n, position: 0 } })).toEqual(['2-1', '1-1'])
  expect(await places({ order: 'oldest_first', after: { seq: 1n, position: 1 }, limit: 2 })).toEqual(['2-1', '4-0'])
})

test('filters postings by account, asset, kind and range', async () => {
  expect(await places({ accounts: [ANN_LOCKED] })).toEqual(['4-1'])
  expect(await places({ asset: 'BNB' })).toEqual(['2-1'])
  expect(await places({ kinds: ['lock'] })).toEqual(['4-1', '4-0'])
  expect(await places({ kinds: ['lock', 'deposit'] })).toEqual(['4-1', '4-0', '2-1', '1-1'])
  expect(await places({ range: { from: 2n, to: 3n } })).toEqual(['2-1'])
  expect(await readPostings(db, query({ accounts: [BEN] }))).toEqual([
    {
      entry_seq: 3n,
      position: 1,
      kind: 'deposit',
      account: BEN,
      asset: 'USDT',
      units: 7n,
      balance_after: 7n,
      reference: 'at 3',
      at: at(3),
    },
  ])
})

test('reads the frequent kind in bounded, complete steps', async () => {
  // Two swaps beneath five deposits.
  for (const [minute, kind] of ['swap', 'swap', 'deposit', 'deposit', 'deposit', 'deposit', 'deposit'].entries()) {
    now = at(10 + minute)
    const postings = [
      { account: 'vault', asset: 'USDT', units: -1n },
      { account: ANN, asset: 'USDT', units: 1n },
    ]
    const entries = [{ kind, reference: 'more', postings }]
    const decide = () => ({ entries, response: null })
    await writer.execute({ kind, owner: 'ann', payload: {}, preload: [], decide })
  }
  for (const [order, expected] of [
    ['newest_first', ['6-1', '5-1']],
    ['oldest_first', ['5-1', '6-1']],
  ] as const) {
    const pages: string[][] = []
    let after: PostingCursor | undefined
    do {
      const page = await readPostingPage(db, query({ kinds: ['swap'], order, range: { from: 1n, to: 11n }, after }), 3)
      pages.push(page.rows.map((row) => `${row.entry_seq}-${row.position}`))
      after = page.scannedTo
    } while (after)
    expect(pages.flat()).toEqual(expected)
    expect(pages.length).toBeGreaterThan(2)
  }
  const full = await readPostingPage(db, query({ kinds: ['swap'], range: { from: 1n, to: 11n }, limit: 1 }))
  expect(full).toMatchObject({ rows: [{ entry_seq: 6n, kind: 'swap', account: ANN }], scannedTo: undefined })
})

test('finds whole entries by an amount or a reference', async () => {
  const found = async (changes: Partial<PostingQuery>, maxScanned?: number) => {
    const { rows, scannedTo } = await readPostingPage(db, query(changes), maxScanned)
    return { rows: rows.map((row) => `${row.entry_seq}-${row.position}`), scannedTo }
  }
  const exactly = (units: bigint) => ({ from: units, below: units + 1n })
  const units = { USDT: exactly(4n), BNB: exactly(5n) }
  expect(await found({ match: { units } })).toEqual({ rows: ['4-1', '4-0', '2-1'], scannedTo: undefined })
  expect((await found({ match: { units }, kinds: ['lock'] })).rows).toEqual(['4-1', '4-0'])
  expect((await found({ match: { units: { USDT: exactly(40n) } } })).rows).toEqual([])
  // The upper bound does not match.
  expect((await found({ match: { units: { USDT: { from: 2n, below: 4n } } } })).rows).toEqual([])
  expect((await found({ match: { units: { USDT: { from: 3n, below: 5n } } } })).rows).toEqual(['4-1', '4-0'])
  expect((await found({ match: { reference: 'AT 2' } })).rows).toEqual(['2-1'])
  expect((await found({ match: { reference: 'at' }, asset: 'BNB' })).rows).toEqual(['2-1'])
  // Of another owner's entries nothing is found.
  expect((await found({ match: { reference: 'at 3' } })).rows).toEqual([])
  expect(await found({ match: { units: { USDT: exactly(10n) } } }, 3)).toEqual({
    rows: [],
    scannedTo: { seq: 2n, position: 1 },
  })
})

test("reads users' postings in a range of entries", async () => {
  const accounts = async (wanted: string[] | undefined) =>
    (await readUserPostings(db, { after: 2n, to: 4n, accounts: wanted })).map((row) => row.account)
  expect(await accounts(undefined)).toEqual([BEN, ANN, ANN_LOCKED])
  expect(await accounts([BEN])).toEqual([BEN])
})

test("sums a range's postings to zero in each asset", async () => {
  expect(await sumPostings(db, { after: 0n, to: 4n })).toEqual([
    { asset: 'BNB', units: 0n },
    { asset: 'USDT', units: 0n },
  ])
  expect(await sumPostings(db, { after: 2n, to: 4n })).toEqual([{ asset: 'USDT', units: 0n }])
})

test('reads the tip, the number of entries and the lease', async () => {
  expect(await readTip(db)).toMatchObject({ seq: 4n, at: at(4) })
  expect(await countEntries(db)).toBe(4n)
  expect(await readLease(db)).toEqual({ holder: 'test', renewedAt: expect.any(String) })
})

test("finds a command's outcome or refusal by its key", async () => {
  const refused = writer.execute({
    kind: 'lock',
    owner: 'ann',
    key: 'refused',
    payload: {},
    preload: [],
    decide() {
      throw new Refusal('balance_not_enough', { need: 1 })
    },
  })
  await expect(refused).rejects.toThrow(Refusal)
  const done = { kind: 'lock', at: at(4), ok: { minute: 4 } }
  expect(await findOutcome(db, { owner: 'ann', key: 'key-4', kind: 'lock' })).toEqual(done)
  expect(await findOutcome(db, { owner: 'ann', key: 'key-4' })).toEqual(done)
  expect(await findOutcome(db, { owner: 'ann', key: 'refused' })).toMatchObject({
    refusal: 'balance_not_enough',
    data: { need: 1 },
  })
  expect(await findOutcome(db, { owner: 'ann', key: 'key-4', kind: 'deposit' })).toBeUndefined()
  expect(await findOutcome(db, { owner: 'ben', key: 'key-4' })).toBeUndefined()
})

test('reads one snapshot and rejects writes in it', async () => {
  expect(await readOneMoment(db, async (tx) => (await readTip(tx)).seq)).toBe(4n)
  await expect(readOneMoment(db, (tx) => tx.query('delete from balances'))).rejects.toThrow(/read-only/)
})
