import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { runCommand } from '../../scripts/run-command.ts'

const SCALE = 10
const CLIENTS = 16
const SECONDS = 10

export interface PgbenchFigure {
  readonly what: string
  readonly clients: number
  readonly perSecond: number
  readonly meanMs: number
}

/**
 * Runs pgbench's own TPC-B against a PostgreSQL: the peer of every figure here. Returns `undefined` where pgbench is not
 * installed.
 */
export async function runPgbench(url: string, binaries: string): Promise<PgbenchFigure | undefined> {
  const program = join(binaries, 'pgbench')
  if (!existsSync(program)) return undefined
  const run = async (...args: string[]) => {
    const { exitCode, stdout, all } = await runCommand(program, [...args, url], { cwd: binaries, output: 'keep' })
    if (exitCode !== 0) throw new Error(`pgbench failed:\n${all}`)
    return stdout
  }
  await run('-i', '-q', '-s', String(SCALE))
  // The checkpoint frees the log files that the creation of the tables used.
  const db = await openPostgresDatabase(url, { maxConnections: 1 })
  await db.script('checkpoint')
  await db.close()
  const report = await run('-M', 'simple', '-c', String(CLIENTS), '-j', '2', '-T', String(SECONDS))
  const number = (pattern: RegExp) => Number(pattern.exec(report)?.[1])
  return {
    what: `pgbench TPC-B, scale ${SCALE}`,
    clients: CLIENTS,
    perSecond: number(/tps = ([\d.]+)/),
    meanMs: number(/latency average = ([\d.]+) ms/),
  }
}
