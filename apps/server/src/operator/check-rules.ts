import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { isAbove } from '../config/fields.ts'
import { TRANSFER_RULES, type TransferAsset, type TransferValues } from '../features/wallet/transfer-rules.ts'
import type { Config } from '../load-config.ts'
import type { AnyRule } from '../platform/rules/rule.ts'
import { type RuleRow, readSchedule, rules } from '../platform/rules/rules.tables.ts'
import { valueAt } from '../platform/rules/schedule.ts'
import { CAP_RULES, type CapValues, lowerCaps } from '../platform/signer/cap-rules.ts'
import { RULES } from '../rules.ts'
import type { Check } from './check-result.ts'

/**
 * Says where the configuration file and the rules in the database differ: there the database counts. Also names caps of a day that are
 * below the limit of one transfer. Neither is a fault.
 */
export async function checkRules(config: Config): Promise<Check> {
  const { databaseUrl } = config.env
  // A database that does not respond is a fault of another check.
  const rows = databaseUrl ? await readRows(databaseUrl).catch(() => []) : []
  const now = new Date()
  const inForce = (rule: AnyRule): unknown => {
    const row = rows.find(({ id }) => id === rule.key)
    return row && valueAt(readSchedule<unknown>(rule, row), now)
  }
  return { name: 'rules', faults: [], notes: [...differencesOf(config, inForce), ...lowCapsOf(config, inForce)] }
}

async function readRows(databaseUrl: string): Promise<RuleRow[]> {
  const db = await openPostgresDatabase(databaseUrl, { maxConnections: 1 })
  try {
    const [found] = await db.query<{ is_there: boolean }>(`select to_regclass('rules') is not null as is_there`)
    return found?.is_there ? await db.query<RuleRow>(`select ${rules.columns} from rules`) : []
  } finally {
    await db.close()
  }
}

/** The value of a rule in the database, if it has one. */
type InForce = (rule: AnyRule) => unknown

function differencesOf(config: Config, inForce: InForce): string[] {
  return RULES.flatMap((rule) => {
    const stored = JSON.stringify(inForce(rule))
    const inFile = JSON.stringify(rule.read(config))
    if (stored === undefined || stored === inFile) return []
    // A rule without keys has the file as its ceiling.
    const which = rule.configKeys.length === 0 ? 'each lower cap counts' : 'the database counts'
    return [`${rule.key} is ${stored} in the database, and ${inFile} in the configuration file: ${which}`]
  })
}

function lowCapsOf(config: Config, inForce: InForce): string[] {
  return Object.entries(TRANSFER_RULES).flatMap(([asset, rule]) => {
    const { maxOut } = (inForce(rule) as TransferValues | undefined) ?? rule.read(config)
    const file = config.withdrawals.caps[asset as TransferAsset]
    const announced = (inForce(CAP_RULES[asset as TransferAsset]) as CapValues | undefined) ?? file
    const caps = lowerCaps(file, announced)
    return (['perAccountPerDay', 'perDay'] as const)
      .filter((name) => isAbove(maxOut, caps[name]))
      .map((name) => {
        const cap = isAbove(file[name], announced[name])
          ? `${name} of caps-${asset}`
          : `withdrawals.caps.${asset}.${name}`
        return `${cap} is ${caps[name]}, below ${maxOut} of limits.${asset}.maxOut: a transfer out of that much is always refused`
      })
  })
}
