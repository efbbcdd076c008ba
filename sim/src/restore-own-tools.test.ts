import { canShareLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { afterEach, test } from 'vitest'
import { prepareOwnTools } from './restore/backup-tools.ts'
import { followRestore } from './restore/follow-restore.ts'

/** docs/recipes/restore-a-backup.md with PostgreSQL's own tools. */
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test.runIf(canShareLedger)(
  'a restore without pgBackRest ends with exact books',
  () => followRestore(prepareOwnTools, ends),
  120_000,
)
