import { parseArgs } from 'node:util'
import { auditBooks } from '@clearwell/ledger/audit'
import { COUNTED_PLACES } from '@clearwell/server/src/features/rank/rank.store.ts'
import { HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import type { Bench } from './bench.ts'
import { endLater } from './clean-up.ts'
import { machine } from './machine.ts'
import { openNewDatabase, type PairFigure, printRatios, timeInTurn } from './size-pair.ts'
import { type BenchTeam, DEPTH, openBenchTeam } from './team-members.ts'
import { benchTeamShapes } from './team-shapes.ts'
import { wholeNumber } from './whole-number.ts'

const MB = 1_048_576
/** Members ahead of a place that both teams have. */
const AHEAD = 500
/** A recount of the large team takes seconds. */
const RECOUNTS = 3

/** The steps of one round, in their order: one figure each. */
const STEPS: readonly {
  readonly what: string
  readonly hasNoLimit?: boolean
  run(team: BenchTeam): Promise<unknown>
}[] = [
  { what: 'read the counts at the top', run: (team) => team.overview() },
  { what: `join at depth ${DEPTH}, with a deposit`, run: (team) => team.join() },
  { what: 'read the counts after the join', run: (team) => team.overview() },
  { what: `activate at depth ${DEPTH}`, run: (team) => team.activate() },
  { what: 'read the counts after the activation', run: (team) => team.overview() },
  { what: 'list a direct lead', run: (team) => team.page() },
  { what: 'search by address', run: (team) => team.search() },
  { what: `count my place on a board, ${AHEAD} ahead`, run: (team) => team.ownPlace(AHEAD) },
  {
    what: `count my place, at most ${COUNTED_PLACES} ahead`,
    hasNoLimit: true,
    run: (team) => team.ownPlace(COUNTED_PLACES),
  },
  { what: 'add a gain to the boards', run: (team) => team.addGain() },
  { what: 'peer: insert one row', hasNoLimit: true, run: (team) => team.insertRow() },
]

export default {
  about:
    'reads, joins and activations in a line of 1,000,000 members beside a flat team, and in teams of 1,000 and of 1,000,000 members, both 1,000 deep, equal to a recount (--small 1000, --large 1000000, --rounds 100, --only shapes or sizes)',
  run: benchTeam,
} satisfies Bench

/**
 * Measures reads, joins and activations in a team of a thousand and in one of a million members, both with a line of 1,000,
 * side by side and in turn. The counts must equal a recount by a recursive query. Before, the same calls in a line of a million
 * members and in a flat team: `--only shapes`, or `--only sizes` for the rest.
 */
async function benchTeam(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'string', default: '1000' },
      large: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '100' },
      only: { type: 'string' },
    },
  })
  const sizes = [wholeNumber('--small', values.small), wholeNumber('--large', values.large)] as const
  const rounds = wholeNumber('--rounds', values.rounds)
  if (sizes.some((size) => size < DEPTH)) throw new Error(`a team has at least ${DEPTH} members: a line of that depth`)
  console.log(`${machine()} Bench and database share the machine.`)
  if (values.only !== 'sizes') await benchTeamShapes(sizes[1])
  if (values.only === 'shapes') return
  const postgres = await startPostgres({
    fsync: true,
    settings: { max_wal_size: '8GB', shared_buffers: '512MB' },
  }).catch(() => {
    throw new Error(`PostgreSQL is needed. ${HOW_TO_GET_POSTGRES}`)
  })
  endLater(postgres.stop)
  const teams = [await open(postgres.url, sizes[0]), await open(postgres.url, sizes[1])] as const
  console.log(`… ${rounds} rounds`)
  const figures: PairFigure[] = STEPS.map(({ what, hasNoLimit = false }) => ({ what, hasNoLimit, times: [[], []] }))
  for (let round = 0; round < rounds; round++)
    for (const [step, { run }] of STEPS.entries())
      await timeInTurn(teams, { run, round, times: (figures[step] as PairFigure).times })
  console.log('… counting again')
  const count: PairFigure = { what: 'peer: count the team by a recursive query', hasNoLimit: true, times: [[], []] }
  for (let round = 0; round < RECOUNTS; round++)
    await timeInTurn(teams, { run: (team) => team.countByQuery(), round, times: count.times })
  for (const team of teams) await team.recount()
  for (const team of teams) await team.close()
  await postgres.stop()
  printRatios('PostgreSQL', [`${sizes[0]} members`, `${sizes[1]} members`], [...figures, count])
}

async function open(server: string, members: number): Promise<BenchTeam> {
  console.log(`… filling ${members} members`)
  const db = await openNewDatabase(server, `team_${members}`)
  const team = await openBenchTeam(db, { members, depth: DEPTH, inviter: DEPTH })
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
