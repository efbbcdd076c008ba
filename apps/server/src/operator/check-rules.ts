import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import type { Config } from '../load-config.ts'
import type { AnyRule } from '../platform/rules/rule.ts'
import { type RuleRow, readSchedule, rules } from '../platform/rules/rules.tables.ts'
import { valueAt } from '../platform/rules/schedule.ts'
import { RULES } from '../rules.ts'
import type { Check } from './check-result.ts'

/** Says where the configuration file and the rules in the database differ. That is no fault: the database counts. */
export async function checkRules(config: Config): Promise<Check> {
  const { databaseUrl } = config.env
  if (!databaseUrl) return { name: 'rules', faults: [] }
  return { name: 'rules', faults: [], notes: await readDifferences(databaseUrl, config).catch(() => []) }
}

/** A database that does not respond is a fault of another check. */
async function readDifferences(databaseUrl: string, config: Config): Promise<string[]> {
  const db = await openPostgresDatabase(databaseUrl, { maxConnections: 1 })
  try {
    const [found] = await db.query<{ is_there: boolean }>(`select to_regclass('rules') is not null as is_there`)
    const rows = found?.is_there ? await db.query<RuleRow>(`select ${rules.columns} from rules`) : []
    return differencesOf(RULES, rows, { config, now: new Date() })
  } finally {
    await db.close()
  }
}

function differencesOf(
  all: readonly AnyRule[],
  rows: readonly RuleRow[],
  { config, now }: { readonly config: unknown; readonly now: Date },
): string[] {
  return all.flatMap((rule) => {
    const row = rows.find(({ id }) => id === rule.key)
    const inForce = row && JSON.stringify(valueAt(readSchedule<unknown>(rule, row), now))
    const inFile = JSON.stringify(rule.read(config))
    if (inForce === undefined || inForce === inFile) return []
    return [`${rule.key} is ${inForce} in the database, which counts, and ${inFile} in the configuration file`]
  })
}
