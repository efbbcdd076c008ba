import type { Database } from '@clearwell/ledger/database'
import { lendingParameters, type ParameterRow } from '../domain/lending/lending-parameters.ts'
import { announceParameters } from '../features/stake/announce-parameters.ts'
import { failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { withConfigFile, withDatabase } from './open-books.ts'
import { requestAction } from './request-action.ts'

export const lending: OperatorCommand = {
  about: 'lists the parameters of the lending market, or announces those of the configuration file',
  words: '[announce] [--reason <text>] [--execute]',
  options: ['reason', 'execute'],
  async run({ words: [verb, ...rest], json, execute, reason }) {
    if (rest.length > 0) return undefined
    if (verb === undefined) return withDatabase((db) => list(db, json))
    if (verb !== 'announce' || !reason || !isPrintable(reason)) return undefined
    return withConfigFile(async (config, db) => {
      const after = (await readRows(db)).at(-1)
      if (!after) return failure('No server has stored the first parameters yet: start one.')
      const payload = { after: Number(after.id), parameters: config.stake }
      return requestAction(config, db, { action: announceParameters, payload, args: { json, execute, reason } })
    })
  },
}

async function list(db: Database, json: boolean): Promise<Outcome> {
  const rows = await readRows(db)
  const text = json
    ? JSON.stringify({ parameters: rows.map((row) => ({ ...row, parameters: JSON.parse(row.parameters) })) }, null, 2)
    : rows.map(({ id, effective_at: at, parameters }) => `${id}  from ${at.toISOString()}  ${parameters}`).join('\n')
  return { text, faults: [], exitCode: 0 }
}

const readRows = (db: Database) =>
  db.query<ParameterRow>(`select ${lendingParameters.columns} from lending_parameters order by id::integer`)
