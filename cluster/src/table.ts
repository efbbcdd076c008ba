import type { ClusterState, MachineState } from './read-state.ts'

const COLUMNS = ['machine', 'database', 'state', 'behind', 'server', 'writer']

/** The live table of a cluster, as lines of text. @param perSecond undefined until two readings are there. */
export function tableOf({ machines }: ClusterState, perSecond: number | undefined): string[] {
  const rows = [COLUMNS, ...machines.map(rowOf)]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [...lines, '', `commands a second: ${perSecond === undefined ? '…' : perSecond.toFixed(1)}`]
}

function rowOf({ name, database, server, isWriter }: MachineState): string[] {
  const role = { leader: 'leads', sync_standby: 'synchronous', replica: 'standby', unknown: 'unknown' }
  return [
    name,
    database ? role[database.role] : 'away',
    database?.state ?? '',
    database?.role === 'leader' ? '' : sizeOf(database?.lagBytes),
    server,
    isWriter ? 'writes' : '',
  ]
}

function sizeOf(bytes: number | undefined): string {
  if (bytes === undefined) return 'unknown'
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${Math.ceil(bytes / 1024 / 1024)} MB`
}
