import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArchives } from '@clearwell/ledger/archives'
import { auditSince } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { LEDGER_TABLES } from '@clearwell/ledger/ledger-tables'
import { addPartitions } from '@clearwell/ledger/partitions'
import { findMovedBalances, readBalances, readPastBalances } from '@clearwell/ledger/read-balances'
import { readOneMoment, readOrigin } from '@clearwell/ledger/reads'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { ASSET_IDS } from '@clearwell/money/asset'
import { verifyLedger } from '@clearwell/verify/verify-ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countSources } from '../domain/boxes/box-sources.store.ts'
import { exportBatch } from '../domain/proofs/export-batch.ts'
import { exportLedger } from '../domain/proofs/export-ledger.ts'
import { makeDueHeader } from '../domain/proofs/make-headers.ts'
import {
  OPERATOR,
  openProofLedger,
  type ProofLedger,
  ROOT_KEY,
  SETTINGS,
  userOf,
} from '../domain/proofs/testing/proof-ledger.ts'
import { type HistoryDependencies, historyHandlers } from '../features/history/history.handlers.ts'
import { createHistoryStore } from '../features/history/history.store.ts'
import { logFile } from '../features/history/log-file.ts'
import { pointsOf } from '../features/history/value.ts'
import { dataFile } from '../features/personal-data/data-file.ts'
import { proofExport } from '../features/proof/proof-export.ts'
import { userAccounts, VAULT } from '../platform/ledger/accounts.ts'
import { createStreamStore } from '../platform/stream/stream.store.ts'
import { archivePartition } from './archive.ts'
import { attachArchive } from './attach-archive.ts'
import { detachArchive, LEAST_AGE_MS } from './detach-archive.ts'
import { readTimeline } from './user-timeline.ts'

const HEAD = { chainId: 97, vault: SETTINGS.domain.vault, operator: OPERATOR, tokens: SETTINGS.tokens }
/** Entries in a partition. */
const SIZE = 25
const DAY_MS = 86_400_000

let folder: string
let ledger: ProofLedger
let db: Database
/** When every entry is old enough. */
let late: Date
/** The ledger before anything was detached. */
let whole: { rows: unknown; exported: string[]; held: unknown; origin: string | undefined }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-detach-'))
  ledger = await openProofLedger()
  db = ledger.db
  await db.script(
    `drop table entries_0, entries_20000000, entries_40000000, owner_postings_0, owner_postings_20000000, owner_postings_40000000;
     select add_ledger_partitions(${SIZE})`,
  )
  const server = ledger.server()
  for (const round of [0, 1, 2]) {
    ledger.clock.at = new Date(Date.parse('2026-11-28T05:00:00Z') + round * DAY_MS)
    // The users of the first round have no later entry.
    for (const what of ['deposit', 'lock', 'pay', 'deposit', 'collateral'] as const)
      for (const [index, asset] of ASSET_IDS.entries())
        await ledger.run({
          what,
          user: round === 0 ? index % 2 : 2 + (index % 2),
          asset,
          units: 10n ** BigInt(20 - round),
        })
    await makeDueHeader(server, { force: true })
    await addPartitions(db, SIZE)
  }
  late = new Date(ledger.clock.at.getTime() + LEAST_AGE_MS)
  whole = { rows: await rows(), exported: await exported(), held: await held(), origin: await readOrigin(db) }
  for (const first of [1, 25]) await archivePartition(db, { first: BigInt(first), path: pathOf(first), json: true })
})
afterAll(async () => {
  await expectBooksBalanced(db)
  await ledger.close()
  await rm(folder, { recursive: true, force: true })
})

const pathOf = (first: number) => join(folder, `${first}.jsonl`)
const detach = (first: number, { execute = true, path = pathOf(first), now = late, hasExits = false, on = db } = {}) =>
  detachArchive(on, { first: BigInt(first), path, json: false, execute }, { now, hasExits })
const attach = (first: number) => attachArchive(db, { path: pathOf(first), json: false, execute: true })

async function rows() {
  return [
    await db.query('select * from entries order by seq'),
    await db.query('select * from owner_postings order by 1, 2'),
  ]
}

/** Balances after the newest entry, at a time that no archive reaches. */
function held() {
  const accounts = Array.from({ length: 4 }, (_, index) => userAccounts(userOf(index))).flat()
  return readPastBalances(db, accounts, [ledger.clock.at])
}

async function exported(first?: bigint): Promise<string[]> {
  const lines: string[] = []
  await readOneMoment(db, async (tx) => {
    for await (const line of exportLedger(tx, HEAD, first)) lines.push(line.slice(0, -1))
  })
  return lines
}

async function archives() {
  const read = (first: number) => readFile(pathOf(first), 'utf8')
  return Promise.all(
    (await readArchives(db)).map(async ({ first, file }) => ({
      name: file,
      lines: (await read(Number(first))).split('\n').slice(0, -1),
    })),
  )
}

test('a partition is detached only once all can do without', async () => {
  const refused = async (text: string, of?: Parameters<typeof detach>[1], first = 1) =>
    expect(await detach(first, of)).toMatchObject({ exitCode: 1, faults: [expect.stringContaining(text)] })
  await refused('days old', { now: new Date(late.getTime() - 3 * DAY_MS) })
  await refused('No header that a bookkeeper has signed contains entry 24')
  await db.query('update proof_header_bodies set book_signature = root_signature')
  await refused('that was posted to the vault contains entry 24', { hasExits: true })
  await refused('The job blind-box.sources has read the ledger up to entry 0')
  await db.transaction((tx) => countSources(tx, 1_000))
  await db.query(`insert into ledger_followers (name, seq) values ('team.test', 23)`)
  await refused('The job team.test has read the ledger up to entry 23')
  await db.query('delete from ledger_followers')
  await db.query(`insert into servers (url, holder, version) values ('http://old', 'old', '0.1.0')`)
  await refused('The server at http://old has version 0.1.0')
  await db.query('delete from servers')
  await refused('Only the oldest partition can be detached', {}, 25)
  await refused('is in use', {}, 50)
  await refused('No partition begins with entry 2', {}, 2)
  await refused('is not there', { path: join(folder, 'none.jsonl') })
  await refused('not 1 to 24', { path: pathOf(25) })
  const altered = join(folder, 'altered.jsonl')
  await writeFile(altered, (await readFile(pathOf(1), 'utf8')).replace('"lock"', '"lick"'))
  await refused('the line was changed', { path: altered })
  const shown = { exitCode: 0, text: expect.stringContaining('would be') }
  expect(await detach(1, { execute: false })).toMatchObject(shown)
  await db.query('update proof_header_bodies set posted_at = made_at')
  expect(await detach(1, { execute: false, hasExits: true })).toMatchObject(shown)
  expect(await rows()).toEqual(whole.rows)
})

test('a call that is cut short at its end changes nothing', async () => {
  const killed: Database = {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        await work(tx)
        expect(await tx.query('select min(seq) as first from entries')).toEqual([{ first: 25n }])
        throw new Error('killed')
      }),
  }
  await expect(detach(1, { on: killed })).rejects.toThrow('killed')
  expect(await rows()).toEqual(whole.rows)
  expect(await readArchives(db)).toEqual([])
})

// An embedded database has one connection, so nothing else can read there.
test.runIf(process.env.TEST_DATABASE === 'postgres')('a long read of the ledger keeps the partition', async () => {
  const of = { first: 1n, path: pathOf(1), json: false, execute: true }
  await readOneMoment(db, async (tx) => {
    await tx.query('select 1 from entries limit 1')
    const refused = await detachArchive(db, of, { now: late, hasExits: false, lockTries: 2 })
    expect(refused).toMatchObject({ exitCode: 1, faults: [expect.stringContaining('A long read of the ledger')] })
  })
  expect(await rows()).toEqual(whole.rows)
})

test('a detached partition leaves books that add up', async () => {
  expect(await detach(1)).toMatchObject({ exitCode: 0, faults: [] })
  expect(await db.query('select min(seq) as first from entries')).toEqual([{ first: 25n }])
  await expectBooksBalanced(db)
  expect(await auditSince(db, new Date(0))).toEqual({ faults: [], after: 24n })
  expect(await readOrigin(db)).toBe(whole.origin)
  expect(await held()).toEqual(whole.held)
  expect(await findMovedBalances(db, VAULT)).toEqual([])
  expect(await detach(1), 'again').toMatchObject({ exitCode: 0, text: expect.stringContaining('were dropped before') })
  await addPartitions(db, SIZE)
  expect(await db.query("select to_regclass('entries_0') is null as gone")).toEqual([{ gone: true }])

  // The longest chart begins after every archive.
  const [earliest] = pointsOf('year', late)
  expect(late.getTime() - (earliest?.getTime() ?? 0)).toBeLessThan(LEAST_AGE_MS)
})

test('an archived balance that was changed is found', async () => {
  const change = (units: number) =>
    db.query(`update archived_balances set units = units + $1 where (account, asset) = ('vault', 'USDT')`, [units])
  await change(1)
  await expect(expectBooksBalanced(db)).rejects.toThrow('do not sum to zero in USDT')
  await change(-1)
})

test('the export begins after the archives, with their balances', async () => {
  const before = await verifyLedger(whole.exported, { rootKey: ROOT_KEY.address })
  expect(before).toMatchObject({ valid: true, counts: { headers: 3, taken: 0 } })
  const { lines: _, ...counts } = before.valid ? before.counts : { lines: 0 }
  const now = await exported()
  expect(await verifyLedger(now, { rootKey: ROOT_KEY.address }, await archives())).toMatchObject({
    valid: true,
    counts,
  })
  expect(await verifyLedger(now, { rootKey: ROOT_KEY.address })).toMatchObject({ counts: { ...counts, taken: 24 } })

  await expect(exported(10n)).rejects.toThrow(/entries 10 to 24 .* 1\.jsonl \(entries 1 to 24, closing hash 0x/)
  const read = (cursor: bigint) => exportBatch(db, HEAD, { entry: cursor, header: 0n, change: 0n })
  await expect(read(0n), 'a bookkeeper without a store').rejects.toThrow('1.jsonl')
  expect(await read(24n)).toContain('["25"')
})

/** An account with archived entries alone, and one without. */
const [OLD, NEW] = [userOf(0), userOf(2)]

test("a user's rows begin with the archived balances, and add up", async () => {
  const signed = { number: '65', hash: '', header: { ledgerSeq: '60' }, signatures: { root: '', bookkeeper: null } }
  for (const [account, from] of [
    [OLD, '25'],
    [NEW, '25'],
    [userOf(4), '1'],
  ] as const) {
    const of = {
      chainId: 97,
      vault: HEAD.vault,
      tokens: HEAD.tokens,
      account,
      from: 1n,
      leaves: [],
      positions: undefined,
    }
    const values: { from?: string; start?: [string, string, string][]; posting?: string[] }[] = []
    for await (const text of proofExport(db, { ...of, signed: signed as never }))
      values.push(
        ...text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line.slice(65))),
      )
    const sums = new Map<string, bigint>()
    for (const [place, asset, units] of values[0]?.start ?? [])
      sums.set(`user:${account}:${place} ${asset}`, BigInt(units))
    for (const { posting: [, , , , place, asset, units = '', after] = [] } of values) {
      if (after === undefined) continue
      const key = `user:${account}:${place} ${asset}`
      sums.set(key, (sums.get(key) ?? 0n) + BigInt(units))
      expect(`${sums.get(key)}`).toBe(after)
    }
    const balances = await readBalances(db, userAccounts(account))
    expect(Object.fromEntries([...sums].filter(([, units]) => units > 0n))).toEqual(
      Object.fromEntries(
        balances.filter(({ units }) => units > 0n).map((each) => [`${each.account} ${each.asset}`, each.units]),
      ),
    )
    expect(values[0]?.from, account).toBe(from)
  }
})

test("lists and files of a user's entries say where they end", async () => {
  const store = createHistoryStore(db)
  const { logs } = historyHandlers({ store } as HistoryDependencies)
  const call = (id: string, payload = {}) => logs(payload, { user: { id } } as never)
  const ends = '2026-11-29T05:00:00.000Z'
  expect(await call(OLD)).toEqual({ items: [], next_cursor: null, archived_until: ends })
  expect(await call(OLD, { from: ledger.clock.at })).toMatchObject({ archived_until: null })
  expect(await call(NEW, { limit: 1 })).toMatchObject({ next_cursor: expect.any(String), archived_until: null })
  expect(await call(userOf(4))).toMatchObject({ items: [], archived_until: null })

  const csv = await textOf(logFile(store, OLD, { asset: undefined, kinds: undefined, range: await store.range({}) }))
  expect(csv.split('\r\n')[1]).toMatch(/^2026-11-29T05:00:00\.000Z,24,archived,.*ask the operator.*已存檔/)

  const file = await textOf(dataFile({ db, tables: LEDGER_TABLES, keptFor: () => '', product: '' }, OLD, late))
  const { parts } = JSON.parse(file) as { parts: { table: string; rows: object[]; archived?: object }[] }
  expect(parts.find(({ table }) => table === 'owner_postings')).toMatchObject({
    rows: [],
    is_complete: false,
    archived: { until: ends, last_entry: '24' },
  })
  expect(parts.find(({ table }) => table === 'archived_balances')?.rows).toContainEqual(
    expect.objectContaining({ place: 'collateral', asset: 'BNB', amount: '100' }),
  )
  expect((await readTimeline(db, OLD)).events.map(({ text }) => text).join()).toContain(
    'up to entry 24, are in archives',
  )
  expect(
    await createStreamStore(db).postingsOf({ accounts: userAccounts(NEW), after: 3n, to: 60n, limit: 9 }),
  ).toBeUndefined()
})

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

test('a job that begins with entry 1 is stopped', async () => {
  await db.query('update box_source_cursor set seq = 0')
  await expect(db.transaction((tx) => countSources(tx, 10))).rejects.toThrow('1.jsonl')
  await db.query('update box_source_cursor set seq = (select max(seq) from entries)')
})

test('archives are attached again, the newest first', async () => {
  expect(await detach(25)).toMatchObject({ exitCode: 0 })
  await expectBooksBalanced(db)
  expect(await held()).toEqual(whole.held)
  expect(await verifyLedger(await exported(), {}, await archives())).toMatchObject({ valid: true })

  expect(await attach(1)).toMatchObject({
    exitCode: 1,
    faults: [expect.stringContaining('The newest archive is 25.jsonl')],
  })
  expect(await attach(25)).toMatchObject({ exitCode: 0 })
  await expectBooksBalanced(db)
  expect(await attach(1)).toMatchObject({ exitCode: 0 })
  expect(await rows()).toEqual(whole.rows)
  expect(await db.query('select 1 from archived_balances')).toEqual([])
  expect(await verifyLedger(await exported())).toMatchObject({ valid: true, counts: { headers: 3, taken: 0 } })
})
