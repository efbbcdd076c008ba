import { QUERY_CANCELLED, sqlState } from '@clearwell/ledger/database'
import { newTestPostgres } from '@clearwell/ledger/testing/database'
import { expect, test } from 'vitest'
import { loadConfig } from '../../load-config.ts'
import { MIGRATION_FOLDERS, openDatabases } from './open-database.ts'

test.skipIf(process.env.TEST_DATABASE !== 'postgres')(
  'slow reads end at their time limit without delaying the writer',
  async () => {
    const { url, drop } = await newTestPostgres(MIGRATION_FOLDERS)
    const { env } = await loadConfig({ DATABASE_URL: url })
    const database = { readConnections: 2, readTimeoutMs: 5_000, writeTimeoutMs: 15_000 }
    const { db, writerDb } = await openDatabases({ env, database }, () => {})
    const slow = Array.from({ length: 3 }, () => db.query('select pg_sleep(60)').catch((error: unknown) => error))
    let isAnyDone = false
    void Promise.race(slow).then(() => {
      isAnyDone = true
    })
    await writerDb.commitInOrder([{ text: 'select count_batch(0, 0)', params: [] }])
    expect(await writerDb.query('select batch from writer_lease')).toEqual([{ batch: 1n }])
    expect(isAnyDone).toBe(false)
    expect((await Promise.all(slow)).map(sqlState)).toEqual(slow.map(() => QUERY_CANCELLED))
    await Promise.all([db.close(), writerDb.close()])
    await drop()
  },
)
