import { type ActionRow, operatorActions } from '../platform/operator/operator.tables.ts'
import type { OperatorCommand } from './command.ts'
import { withDatabase } from './open-books.ts'
import { readPersons } from './request-store.ts'

/** The number of actions that are listed. */
const LATEST = 50

export const actions: OperatorCommand = {
  about:
    'lists every change and every look at an account by a person: who, the second person, role, old and new value, reason, time',
  run: ({ json }) =>
    withDatabase(async (db) => {
      const rows = await db.query<ActionRow>(
        `select ${operatorActions.columns} from operator_actions order by at desc, id desc limit $1`,
        [LATEST],
      )
      const names = new Map((await readPersons(db)).map(({ id, name }) => [id, name]))
      const text = json
        ? JSON.stringify({ actions: rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) })) }, null, 2)
        : rows.map((row) => linesOf(row, names)).join('\n') || 'No operator has changed anything yet.'
      return { text, faults: [], exitCode: 0 }
    }),
}

function linesOf(row: ActionRow, names: ReadonlyMap<string, string>): string {
  const {
    at,
    kind,
    result,
    reason,
    person,
    second_person: second,
    role,
    value_before: before,
    value_after: after,
  } = row
  const persons = [person, second].flatMap((id) => (id === null ? [] : [`${names.get(id) ?? 'unknown'} (${id})`]))
  const by = persons.length === 0 ? 'by the configuration' : `by ${persons.join(' and ')} as ${role}`
  return [
    `${at.toISOString()}  ${kind}  ${result}`,
    `  ${by}`,
    ...(before === null || after === null ? [] : [`  ${before} → ${after}`]),
    `  ${reason}`,
  ].join('\n')
}
