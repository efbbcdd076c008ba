import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from './open-database.ts'

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
})
