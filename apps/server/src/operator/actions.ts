import type { RowOf } from '@clearwell/ledger/table'
import { operatorActions } from '../platform/operator/operator-action.ts'
import type { OperatorCommand } from './command.ts'
import { withDatabase } from './open-books.ts'

/** The number of actions that are listed. */
const LATEST = 50

export const actions: OperatorCommand = {
  about: 'lists what operators changed, with time and reason: the audit log',
  run: ({ json }) =>
    withDatabase(async (db) => {
      const rows = await db.query<RowOf<typeof operatorActions>>(
        `select ${operatorActions.columns} from operator_actions order by at desc, id desc limit $1`,
        [LATEST],
      )
      const lines = rows.map(({ at, kind, result, reason }) => `${at.toISOString()}  ${kind}  ${result}\n  ${reason}`)
      const text = json
        ? JSON.stringify({ actions: rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) })) }, null, 2)
        : lines.join('\n') || 'No operator has changed anything yet.'
      return { text, faults: [], exitCode: 0 }
    }),
}
