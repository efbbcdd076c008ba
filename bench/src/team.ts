import { parseArgs } from 'node:util'
import { auditBooks } from '@clearwell/ledger/audit'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import { endLater } from './clean-up.ts'
import { machine } from './machine.ts'
import { formatTable } from './table.ts'
import { type BenchTeam, DEPTH, openBenchTeam } from './team-members.ts'
import { wholeNumber } from './whole-number.ts'

/** The most that a figure may grow from the small team to the large one. */
const LIMIT = 1.3
const MB = 1_048_576

/** The steps of one round, in their order: one figure each. */
const STEPS: readonly { readonly what: string; run(team: BenchTeam): Promise<unknown> }[] = [
  { what: 'read the counts at the top of the longest line', run: (team) => team.overview() },
  { what: `join at depth ${DEPTH}, with a deposit`, run: (team) => team.join() },
  { what: 'read the counts after the join', run: (team) => team.overview() },
  { what: `activate at depth ${DEPTH}`, run: (team) => team.activate() },
  { what: 'read the counts after the activation', run: (team) => team.overview() },
  { what: 'list direct leads', run: (team) => team.page() },
  { what: 'search by address', run: (team) => team.search() },
  { what: 'count my place on a board', run: (team) => team.ownPlace() },
  { what: 'add a gain to the boards', run: (team) => team.addGain() },
]

/**
 * Measures reads, joins and activations in a team of a thousand and in one of a million members, both with a line of 1,000,
 * side by side and in turn. The counts must equal a recount by a recursive query.
 */
export async function benchTeam(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'string', default: '1000' },
      large: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '100' },
    },
  })
  const sizes = [wholeNumber('--small', values.small), wholeNumber('--large', values.large)] as const
  const rounds = wholeNumber('--rounds', values.rounds)
  if (sizes.some((size) => size < DEPTH))
    throw new Error(`a team has at least ${DEPTH} members: one line of that depth`)
  console.log(`${machine()} Bench and database share the machine.`)
  const postgres = await startPostgres({
    fsync: true,
    settings: { max_wal_size: '8GB', shared_buffers: '512MB' },
  }).catch(() => {
    throw new Error(`PostgreSQL is needed. ${HOW_TO_GET_POSTGRES}`)
  })
  endLater(postgres.stop)
  const teams = [await open(postgres.url, sizes[0]), await open(postgres.url, sizes[1])] as const
  console.log(`… ${rounds} rounds`)
  const times = STEPS.map(() => [[], []] as [number[], number[]])
  for (let round = 0; round < rounds; round++)
    for (const [step, { run }] of STEPS.entries())
      for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const startedMs = performance.now()
        await run(teams[index])
        times[step]?.[index].push(performance.now() - startedMs)
      }
  for (const team of teams) await team.recount()
  for (const team of teams) await team.close()
  await postgres.stop()
  printTable(sizes, times)
}

async function open(server: string, members: number): Promise<BenchTeam> {
  console.log(`… filling ${members} members`)
  const url = new URL(server)
  const admin = await openPostgresDatabase(url.href, { maxConnections: 1 })
  await admin.script(`create database team_${members}`)
  await admin.close()
  url.pathname = `/team_${members}`
  const db = await openPostgresDatabase(url.href, { maxConnections: 4, maxQueryMs: 600_000 })
  const team = await openBenchTeam(db, members)
  const [startedMs, before] = [performance.now(), process.memoryUsage().arrayBuffers]
  const { total } = await team.overview()
  const loadedMs = performance.now() - startedMs
  const held = (process.memoryUsage().arrayBuffers - before) / MB
  console.log(
    `… the first read loads ${total} members below the first in ${(loadedMs / 1_000).toFixed(2)} s, ${held.toFixed(0)} MB`,
  )
  const faults = await auditBooks(db)
  if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
  return team
}

function printTable(sizes: readonly [number, number], times: readonly [number[], number[]][]): void {
  const rows = STEPS.map(({ what }, step) => {
    const [small, large] = (times[step] ?? [[], []]).map(medianOf) as [number, number]
    const ratio = large / small
    return [what, small.toFixed(2), large.toFixed(2), `${ratio.toFixed(2)} ×`, ratio <= LIMIT ? 'within' : 'beyond']
  })
  const head = ['PostgreSQL, median ms', ...sizes.map((size) => `${size} members`), 'ratio', `limit ${LIMIT} ×`]
  console.log(`\n${formatTable([head, ...rows])}\n`)
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
