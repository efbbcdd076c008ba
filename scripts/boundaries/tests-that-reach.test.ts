import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testsThatReach } from './tests-that-reach.ts'

const ROOT = join(import.meta.dirname, '../..')

test('tests of the ledger reach its database directly or through others', () => {
  const found = testsThatReach(ROOT, 'packages/ledger/src', 'packages/ledger/src/testing/database.ts')
  expect(found).toContain('writer.test.ts')
  expect(found).toContain('testing/database.test.ts')
  expect(found).not.toContain('draft.test.ts')
})
