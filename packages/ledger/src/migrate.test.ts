import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Database } from './database.ts'
import { entryHash, GENESIS_HASH, type Posting } from './entry-hash.ts'
import { LEDGER_MIGRATIONS, migrate } from './migrate.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { expectBooksBalanced, newTestPostgres, openTestDatabase } from './testing/database.ts'

test('migrates a ledger with one row per posting without changing it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-migrations-'))
  await copyFile(join(LEDGER_MIGRATIONS, '0001_ledger.sql'), join(folder, '0001_ledger.sql'))
  const db = await openTestDatabase([])
  try {
    await migrate(db, [folder])
    const at = new Date('2026-11-21T09:00:00Z')
    const owner = 'user:0x01:available'
    const postings: Posting[][] = [
      [
        { account: 'vault', asset: 'USDT', units: -100n },
        { account: owner, asset: 'USDT', units: 100n },
      ],
      [
        { account: owner, asset: 'USDT', units: -30n },
        { account: 'rewards', asset: 'USDT', units: 10n },
        { account: 'treasury', asset: 'USDT', units: 20n },
      ],
    ]
    const after = [
      [-100n, 100n],
      [70n, 10n, 20n],
    ]
    let hash = GENESIS_HASH
    for (const [index, each] of postings.entries()) {
      const seq = BigInt(index + 1)
      hash = entryHash(hash, { seq, kind: 'test', at, reference: 'r', postings: each })
      const rows = each.map(
        ({ account, asset, units }, postingIndex) =>
          `(${seq}, ${postingIndex}, '${account}', '${asset}', ${units}, ${after[index]?.[postingIndex]})`,
      )
      await db.script(`begin;
        insert into entries values (${seq}, 'test', '${at.toISOString()}', 'r', ${each.length}, '\\x${Buffer.from(hash).toString('hex')}');
        insert into postings values ${rows.join(', ')};
        commit;`)
    }
    await db.script(`insert into balances values
      ('vault', 'USDT', -100), ('${owner}', 'USDT', 70), ('rewards', 'USDT', 10), ('treasury', 'USDT', 20)`)

    await migrate(db, [LEDGER_MIGRATIONS])
    await expectBooksBalanced(db)
    expect(await db.query('select entry_seq, account, balance_after from postings order by 1, position')).toEqual([
      { entry_seq: 1n, account: 'vault', balance_after: -100n },
      { entry_seq: 1n, account: owner, balance_after: 100n },
      { entry_seq: 2n, account: owner, balance_after: 70n },
      { entry_seq: 2n, account: 'rewards', balance_after: 10n },
      { entry_seq: 2n, account: 'treasury', balance_after: 20n },
    ])
    expect(await db.query('select entry_seq, account from owner_postings order by 1, position')).toEqual([
      { entry_seq: 1n, account: 'vault' },
      { entry_seq: 1n, account: owner },
      { entry_seq: 2n, account: owner },
    ])
  } finally {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
})

/** A database that notes when each script begins and ends, and in which those that contain `failing` fail. */
function slowDatabase(failing?: string): { db: Database; steps: string[] } {
  const steps: string[] = []
  const nameOf = (text: string) => /values \('([^']+)'/.exec(text)?.[1] ?? 'the table of migrations'
  const db: Partial<Database> = {
    query: async () => {
      steps.push('look')
      return []
    },
    async script(text) {
      steps.push(`begin ${nameOf(text)}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (failing && text.includes(failing)) throw new Error(`${failing} fails`)
      steps.push(`end ${nameOf(text)}`)
    },
  }
  return { db: db as Database, steps }
}

test('runs migrations in order after creating the table that records them', async () => {
  const { db, steps } = slowDatabase()
  await migrate(db, [LEDGER_MIGRATIONS])
  const names = ['0001_ledger.sql', '0020_whole_entries.sql', '0023_count_batch.sql', '0031_postings_by_kind.sql']
  expect(steps).toEqual([
    'begin the table of migrations',
    'end the table of migrations',
    'look',
    ...names.flatMap((name) => [`begin ${name}`, `end ${name}`]),
  ])
})

test('throws when a migration fails and skips the later ones', async () => {
  const { db, steps } = slowDatabase('0020_whole_entries.sql')
  await expect(migrate(db, [LEDGER_MIGRATIONS])).rejects.toThrow('0020_whole_entries.sql fails')
  expect(steps).toContain('end 0001_ledger.sql')
  expect(steps.join()).not.toContain('0023')
})

// PGlite has one connection, so no other process can come in between.
if (process.env.TEST_DATABASE === 'postgres') {
  const read = (name: string) => readFile(join(LEDGER_MIGRATIONS, name), 'utf8')

  test('keeps the commit of an older server that writes during the migration', async () => {
    const { url, drop } = await newTestPostgres()
    const [older, newer] = await Promise.all([openPostgresDatabase(url), openPostgresDatabase(url)])
    await older.script(`begin; ${await read('0001_ledger.sql')} commit;`)
    let migrating: Promise<void> | undefined
    await older.transaction(async (tx) => {
      await tx.query(
        `insert into entries (seq, kind, at, reference, posting_count, hash)
         values (1, 'test', now(), 'r', 2, decode(repeat('00', 32), 'hex'))`,
      )
      await tx.query(
        `insert into postings (entry_seq, position, account, asset, units, balance_after)
         values (1, 0, 'vault', 'USDT', -1, -1), (1, 1, 'user:0x01:available', 'USDT', 1, 1)`,
      )
      migrating = newer.script(`begin; ${await read('0020_whole_entries.sql')} commit;`)
      const isWaiting = async () =>
        (
          await older.query(
            'select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
          )
        ).length
      await expect.poll(isWaiting, { timeout: 10_000 }).toBeGreaterThan(0)
    })
    await migrating
    expect(await newer.query('select seq from entries')).toEqual([{ seq: 1n }])
    await Promise.all([older.close(), newer.close()])
    await drop()
  })

  test('servers that start together on an empty database all find it migrated', async () => {
    const { url, drop } = await newTestPostgres()
    const databases = await Promise.all([1, 2, 3].map(() => openPostgresDatabase(url)))
    const outcomes = await Promise.allSettled(databases.map((each) => migrate(each, [LEDGER_MIGRATIONS])))
    expect(outcomes.map((each) => each.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    await Promise.all(databases.map((each) => each.close()))
    await drop()
  })
}
