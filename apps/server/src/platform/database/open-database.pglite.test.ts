import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMigrations } from '@clearwell/ledger/migrate'
import { copyMigratedPglite } from '@clearwell/ledger/testing/database'
import { expect, test } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { loadConfig } from '../../load-config.ts'
import { MIGRATION_FOLDERS, openDatabase, PGLITE_FOLDER } from './open-database.ts'

test('an unreachable database throws a ConfigError without its address', async () => {
  // Port 1 is reserved: nothing listens there.
  const { env } = await loadConfig({ DATABASE_URL: 'postgres://clearwell:s3cret@127.0.0.1:1/clearwell' })
  const error = await openDatabase(env, () => {}).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ConfigError)
  expect(String(error)).toBe('ConfigError: The database at DATABASE_URL cannot be reached.')
  expect((error as Error).cause).toBeUndefined()
})

test('no two migrations share a number', async () => {
  const numbers = (await readMigrations(MIGRATION_FOLDERS)).map(({ name }) => name.slice(0, 4))
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('PGlite keeps its data in the data folder across restarts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-database-'))
  await copyMigratedPglite(join(folder, PGLITE_FOLDER), MIGRATION_FOLDERS)
  const { env } = await loadConfig({ DATA_DIR: folder })
  const db = await openDatabase(env, () => {})
  await db.query(`insert into simulated_prices (symbol, anchor_e18) values ('BNBUSDT', 620)`)
  await db.close()
  const again = await openDatabase(env, () => {})
  expect(await again.query('select symbol, anchor_e18 from simulated_prices')).toEqual([
    { symbol: 'BNBUSDT', anchor_e18: 620n },
  ])
  await again.close()
  await rm(folder, { recursive: true })
})
