import { auditBooks } from '@clearwell/ledger/audit'
import { countEntries } from '@clearwell/ledger/reads'
import type { OperatorCommand } from './command.ts'
import { withLedger } from './open-books.ts'

export const audit: OperatorCommand = {
  about: 'checks the whole ledger and lists its faults',
  run: ({ json }) =>
    withLedger(async (_config, db) => {
      const faults = await auditBooks(db)
      const entries = await countEntries(db)
      const text = json
        ? JSON.stringify({ entries: entries.toString(), faults }, null, 2)
        : `${entries} entries read, ${faults.length} faults`
      return { text, faults, exitCode: faults.length === 0 ? 0 : 1 }
    }),
}
