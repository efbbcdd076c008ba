import { readArchiveEnd } from '@clearwell/ledger/archives'
import { auditBooks, auditSince } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { countEntries, readOneMoment, readTip } from '@clearwell/ledger/reads'
import { OPERATOR_ACTIONS } from '../operator-actions.ts'
import { auditPersons } from '../platform/operator/audit-persons.ts'
import type { OperatorCommand } from './command.ts'
import { withDatabase } from './open-books.ts'

export const audit: OperatorCommand = {
  about:
    'reads the ledger (sums, balances, the hash chain) and the signatures of the audit log, and lists their faults; exit code 1 if there is one. With --since, only the entries from that time on (2026-11-28 or 2026-11-28T12:00:00Z)',
  options: ['since'],
  async run({ json, since }) {
    const from = since === undefined ? undefined : new Date(since)
    if (from && Number.isNaN(from.getTime())) return undefined
    return withDatabase(async (db) => {
      const books = from ? await recent(db, from) : { faults: await auditBooks(db), entries: await countEntries(db) }
      const faults = [...books.faults, ...(await auditPersons(db, OPERATOR_ACTIONS))]
      const archived = (await readArchiveEnd(db))?.seq ?? 0n
      const text = json
        ? JSON.stringify({ entries: `${books.entries}`, archived: `${archived}`, faults }, null, 2)
        : [
            `${books.entries} entries read, ${faults.length} faults`,
            ...(archived === 0n ? [] : [notRead(archived)]),
          ].join('\n')
      return { text, faults, exitCode: faults.length === 0 ? 0 : 1 }
    })
  },
}

function notRead(archived: bigint): string {
  return `Entries 1 to ${archived} are in archives, and were not read: check these files with clearwell-verify`
}

/** The entries from a time on. A server may add more meanwhile, so the audit reads one moment. */
function recent(db: Database, since: Date): Promise<{ faults: string[]; entries: bigint }> {
  return readOneMoment(db, async (tx) => {
    const { faults, after } = await auditSince(tx, since)
    return { faults, entries: (await readTip(tx)).seq - after }
  })
}
