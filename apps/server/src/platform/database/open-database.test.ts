import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMigrations } from '@clearwell/ledger/migrate'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { expect, test } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { loadConfig } from '../../load-config.ts'
import { MIGRATION_FOLDERS, openDatabase } from './open-database.ts'

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
}, 30_000)

test('the database rejects users that the server would never write', async () => {
  const db = await openTestDatabase(MIGRATION_FOLDERS)
  const [alice, bob] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
  const insert = (id: string, code: string, parent: string | null) =>
    db.query(`insert into users (id, invite_code, parent_id, nickname, created_at) values ($1, $2, $3, '', now())`, [
      id,
      code,
      parent,
    ])
  await insert(alice, 'AAAAAAAA', null)
  await expect(insert(alice.toUpperCase(), 'BBBBBBBB', null)).rejects.toThrow('users_id_check')
  await expect(insert(bob, 'AAAAAAAA', null)).rejects.toThrow('users_invite_code_key')
  await expect(insert(bob, 'BBBBBBBB', bob)).rejects.toThrow('check')
  await expect(insert(bob, 'BBBBBBBB', `0x${'c'.repeat(40)}`)).rejects.toThrow('users_parent_id_fkey')
  await insert(bob, 'BBBBBBBB', alice)
  await db.close()
}, 30_000)
