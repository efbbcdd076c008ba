import { DATA_GROUPS, type DataGroup } from '@clearwell/api/personal-data.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import { deletionOf, type Table } from '@clearwell/ledger/table'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { numberAt } from '../../platform/retention/retention-jobs.ts'
import { GROUP_OF_TABLE } from './data-groups.ts'
import { erasableRows } from './erase-data.ts'

/** The table whose deletion says how long a group is kept. Rows of the other groups stay, or have limits of another kind. */
const DAYS_OF: Readonly<Partial<Record<DataGroup, string>>> = {
  sessions: 'sessions',
  devices: 'push_subscriptions',
  alerts: 'alerts',
  commands: 'command_outcomes',
}

/** Returns the days until a row is deleted, after the event that the table names; `undefined` where no job deletes rows. */
function daysOf({ keptFor }: Table<unknown>, config: PlatformConfig): number | undefined {
  const days = deletionOf(keptFor)?.days
  return typeof days === 'string' ? numberAt(config, days) : days
}

/** Says how long rows of a table are kept, with the days of this configuration. */
export function keptForText(table: Table<unknown>, config: PlatformConfig): string {
  const { keptFor } = table
  if ('forever' in keptFor) return `for ever: ${keptFor.forever}`
  if ('until' in keptFor) return `until ${keptFor.until}`
  const days = daysOf(table, config)
  return `${days} ${days === 1 ? 'day' : 'days'} after ${keptFor.after}`
}

/** The groups of stored data, with how long each is kept and whether its user can erase it. */
export function storedGroups(tables: readonly Table<unknown>[], config: PlatformConfig): ResponseOf<'storedData'> {
  const erasable = new Set(erasableRows(tables).map(({ table }) => GROUP_OF_TABLE[table]))
  return {
    groups: DATA_GROUPS.map((group) => {
      const table = tables.find(({ name }) => name === DAYS_OF[group])
      return { group, days: (table && daysOf(table, config)) ?? null, can_erase: erasable.has(group) }
    }),
  }
}
