import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { userAccount, userAccounts, VAULT } from '../../platform/ledger/accounts.ts'
import { createHistoryStore, type HistoryStore } from './history.store.ts'
import { logFile } from './log-file.ts'

const USER = `0x${'a'.repeat(40)}`
const OTHER = `0x${'b'.repeat(40)}`
const START_MS = Date.parse('2026-03-01T00:00:00Z')
const ENTRIES_PER_COMMAND = 500
const FEW = 1_000
const HALF = 10_000
const MANY = 20_000

let db: Database
let writer: Writer
let made = 0

beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  let ids = 0
  writer = await Writer.open({
    db,
    clock: { now: () => new Date(START_MS + made * 1_200_000) },
    randomId: () => `seed${ids++}`,
    holder: 'test',
    leaseTtlMs: 60_000,
    exclusive: true,
  })
})
afterAll(async () => {
  await expectBooksBalanced(db)
  await writer.close()
  await db.close()
})

/** Adds deposits up to this number of entries, alternating between two users and two assets. */
async function depositUpTo(count: number): Promise<void> {
  while (made < count) {
    const entries = Array.from({ length: ENTRIES_PER_COMMAND }, (_, index) => {
      const asset = index % 3 === 0 ? 'BNB' : 'USDT'
      const account = userAccount(index % 5 === 0 ? OTHER : USER, 'available')
      const units = BigInt(index + 1)
      const postings = [
        { account: VAULT, asset, units: -units },
        { account, asset, units },
      ]
      // The user's only entries of this kind are the oldest.
      const kind = made === 0 && index < 20 ? 'first' : 'deposit'
      return { kind, reference: `${made + index}`, postings }
    })
    const command = {
      kind: 'fill',
      owner: 'test',
      payload: {},
      preload: [],
      decide: () => ({ entries, response: null }),
    }
    await writer.execute(command)
    made += ENTRIES_PER_COMMAND
  }
}

/** The number of database blocks that each read touches. */
async function blocksRead(reads: (store: HistoryStore) => Promise<unknown>): Promise<number> {
  const asked: { text: string; params: readonly unknown[] }[] = []
  const recording: Database = {
    ...db,
    query: (text, params = []) => {
      asked.push({ text, params })
      return db.query(text, params)
    },
  }
  await reads(createHistoryStore(recording))
  let blocks = 0
  for (const { text, params } of asked) {
    const rows = await db.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) ${text}`,
      params,
    )
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
    blocks += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }
  return blocks
}

const now = () => new Date(START_MS + made * 1_200_000)

const reads: Readonly<Record<string, (store: HistoryStore) => Promise<unknown>>> = {
  'fifty points of a summary': (store) => {
    const stepMs = (now().getTime() - START_MS) / 50
    const times = Array.from({ length: 50 }, (_, index) => new Date(START_MS + Math.floor((index + 1) * stepMs)))
    return store.heldAt(USER, times)
  },
  'the first page of the logs': async (store) => {
    const range = await store.range({})
    const page = { asset: undefined, kinds: undefined, after: undefined, limit: 21 }
    await store.logs({ accounts: userAccounts(USER), range, order: 'newest_first', ...page })
  },
  'a page of a file in the middle of a time range': async (store) => {
    const range = await store.range({ from: new Date(START_MS + made * 300_000), to: now() })
    const after = { seq: range.from + 100n, position: 1 }
    const page = { asset: undefined, kinds: undefined, after, limit: 21 }
    await store.logs({ accounts: userAccounts(USER), range, order: 'oldest_first', ...page })
  },
  'the oldest entries of a rare kind': (store) => pageOfKind('first')(store),
  'a page of a kind that the user has no entries of': (store) => pageOfKind('absent', 'oldest_first')(store),
  'a page of a frequent kind': async (store) => {
    const range = await store.range({})
    const page = { asset: 'USDT', kinds: ['deposit'], after: undefined, limit: 21 } as const
    await store.logs({ accounts: userAccounts(USER), range, order: 'newest_first', ...page })
  },
}

/** A page of the logs of one kind. The index by kind leaves swaps out. */
const pageOfKind =
  (kind: string, order: 'newest_first' | 'oldest_first' = 'newest_first') =>
  async (store: HistoryStore) => {
    const page = { asset: undefined, kinds: [kind], range: await store.range({}), after: undefined, limit: 21 }
    await store.logs({ accounts: userAccounts(USER), order, ...page })
  }

test('reads cost about the same with twenty times the entries', async () => {
  await depositUpTo(FEW)
  const before = new Map<string, number>()
  for (const [name, read] of Object.entries(reads)) before.set(name, await blocksRead(read))
  const expectSimilar = async (statistics: string) => {
    for (const [name, read] of Object.entries(reads)) {
      const blocks = await blocksRead(read)
      expect.soft(blocks, `${name}, ${statistics}`).toBeLessThanOrEqual(2 * (before.get(name) ?? 0) + 20)
    }
  }
  await depositUpTo(HALF)
  await expectSimilar('without statistics')
  await db.script('analyze')
  await depositUpTo(MANY)
  await expectSimilar('with statistics of half of the entries')
  await db.script('analyze')
  await expectSimilar('with statistics of all')
}, 120_000)

test('a long file reads one page at a time without gaps', async () => {
  await depositUpTo(MANY)
  const store = createHistoryStore(db)
  let pages = 0
  let most = 0
  const counting: HistoryStore = {
    ...store,
    async logs(query) {
      pages++
      const page = await store.logs(query)
      most = Math.max(most, page.rows.length)
      return page
    },
  }
  const range = await store.range({})
  const entries: string[] = []
  let taken = 0
  let sum = 0n
  for await (const piece of logFile(counting, USER, { asset: undefined, kinds: undefined, range })) {
    expect(pages).toBe(++taken)
    for (const line of piece
      .trimEnd()
      .split('\r\n')
      .slice(taken === 1 ? 1 : 0)) {
      const cells = line.split(',')
      entries.push(cells[1] ?? '')
      sum += 1n
      // New entries during the download are not in the file.
      if (sum === 1_500n) await depositUpTo(MANY + ENTRIES_PER_COMMAND)
    }
  }
  const [mine] = await db.query<{ count: bigint }>(
    'select count(*) as count from postings where account = any($1::text[]) and entry_seq <= $2',
    [userAccounts(USER), range.to.toString()],
  )
  expect(BigInt(entries.length)).toBe(mine?.count)
  expect(new Set(entries).size).toBe(entries.length)
  expect(entries.map(Number)).toEqual(entries.map(Number).toSorted((a, b) => a - b))
  expect(most).toBe(1_000)
  expect(pages).toBe(Math.floor(entries.length / 1_000) + 1)
}, 120_000)
