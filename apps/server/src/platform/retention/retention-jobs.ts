import { type ConfigKey, deletionOf, type Table } from '@clearwell/ledger/table'
import { DAY_MS } from '@clearwell/rules/spans'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { AnyJob } from '../jobs/job.ts'
import { retentionJob } from './retention-job.ts'

/** Rows of a lower floor's table that a feature still needs, so they are not deleted. */
export interface KeptRows {
  readonly table: Table<unknown>
  /** SQL: a `select` on the feature's own tables that finds a row while the table's row is needed. */
  readonly while: string
}

/** The jobs that delete old rows, as the tables and the configuration say. */
export function retentionJobs({
  tables,
  kept,
  config,
  rest,
}: {
  readonly tables: readonly Table<unknown>[]
  readonly kept: readonly KeptRows[]
  readonly config: PlatformConfig
  /** Waits this many milliseconds. */
  readonly rest?: (ms: number) => Promise<unknown>
}): AnyJob[] {
  return tables.flatMap((table) => {
    const deletion = deletionOf(table.keptFor)
    if (!deletion) return []
    const { days, plusMs, condition } = deletion
    const keepMs =
      (typeof days === 'number' ? days : numberAt(config, days)) * DAY_MS + (plusMs ? numberAt(config, plusMs) : 0)
    const needed = kept.filter((each) => each.table === table).map((each) => ` and not exists (${each.while})`)
    return [retentionJob({ table: table.name, keepMs, condition: condition + needed.join('') }, rest)]
  })
}

/** @throws Error if the configuration has no number under the key. */
export function numberAt(config: PlatformConfig, key: ConfigKey): number {
  const value = key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], config)
  if (typeof value !== 'number') throw new Error(`the configuration has no number ${key}`)
  return value
}
