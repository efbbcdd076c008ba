import { auditBooks } from '@clearwell/ledger/audit'
import { countEntries } from '@clearwell/ledger/reads'
import { OPERATOR_ACTIONS } from '../operator-actions.ts'
import { auditPersons } from '../platform/operator/audit-persons.ts'
import type { OperatorCommand } from './command.ts'
import { withDatabase } from './open-books.ts'

export const audit: OperatorCommand = {
  about:
    'reads the whole ledger (sums, balances, the hash chain) and the signatures of the audit log, and lists their faults; exit code 1 if there is one',
  run: ({ json }) =>
    withDatabase(async (db) => {
      const faults = [...(await auditBooks(db)), ...(await auditPersons(db, OPERATOR_ACTIONS))]
      const entries = await countEntries(db)
      const text = json
        ? JSON.stringify({ entries: entries.toString(), faults }, null, 2)
        : `${entries} entries read, ${faults.length} faults`
      return { text, faults, exitCode: faults.length === 0 ? 0 : 1 }
    }),
}
