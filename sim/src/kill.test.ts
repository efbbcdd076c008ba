import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEDGER_MIGRATIONS, migrate } from '@clearwell/ledger/migrate'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { copyMigratedPglite, newTestPostgres } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyNth } from './kill-choice.ts'
import { Client, endServers } from './kill-client.ts'
import { firstSteps } from './kill-steps.ts'

const MIGRATIONS = [LEDGER_MIGRATIONS, join(import.meta.dirname, '../../apps/server/migrations')]
const isPostgres = process.env.TEST_DATABASE === 'postgres'
const MIN_POSITIONS = 100
const TIMEOUT_MS = 300_000
/** Lanes with separate ledgers and every second position: one continues while the other waits for a process. */
const LANES = isPostgres ? 2 : 1

interface TestDatabase {
  /** A `postgres://` address or a data folder. */
  readonly where: string
  cleanUp(): Promise<void>
}

const databases: TestDatabase[] = []

beforeAll(async () => {
  for (let lane = 0; lane < LANES; lane++) databases.push(isPostgres ? await newPostgres() : await newFolder())
})

afterAll(async () => {
  endServers()
  for (const { cleanUp } of databases) await cleanUp()
})

describe('a server that is killed with SIGKILL', () => {
  test(
    'a killed server loses no acknowledged command and repeats none',
    async () => {
      const startedMs = performance.now()
      const clients = databases.map(({ where }) => new Client(where))
      const [positions = []] = await Promise.all(clients.map(calmPositions))
      // On PostgreSQL a kill can also interrupt statements.
      if (isPostgres) expect(positions.length).toBeGreaterThan(MIN_POSITIONS)
      const turns = everyNth(positions, isPostgres ? 3 : 1)
      const starts = await Promise.all(
        clients.map((client, lane) =>
          killAll(
            client,
            turns.filter((_, kill) => kill % LANES === lane),
          ),
        ),
      )
      const times = starts
        .flat()
        .filter((ms) => ms > 0)
        .toSorted((a, b) => a - b)
      const sum = (of: (client: Client) => number) => clients.reduce((total, client) => total + of(client), 0)
      console.log(
        `${turns.length} kills at ${positions.length} positions, ${sum((client) => client.issued.length)} commands, ` +
          `${sum((client) => client.repeated)} repeated after their answer, ` +
          `${sum((client) => client.lostResponses)} committed without an answer; ` +
          `start after a kill: median ${times[times.length >> 1]?.toFixed(0)} ms, worst ${times.at(-1)?.toFixed(0)} ms; ` +
          `${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
      )
      // Or the kills never came between a commit and its response.
      for (const client of clients) expect(client.lostResponses).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )
})

/** Where to kill the process while it opens, or while it works. */
type Position = { readonly opening: string } | { readonly batch: string }

/** Where a process can be killed: all that one passes which is not. */
async function calmPositions(client: Client): Promise<Position[]> {
  await client.round({ waves: [firstSteps(), []] })
  const calm = await client.round({ waves: client.nextWaves() })
  expect(calm.passed).toContain('after commit #2')
  return [
    ...calm.opening.filter(isOwnState).map((at) => ({ opening: at })),
    ...calm.passed.filter(isOwnState).map((at) => ({ batch: at })),
  ]
}

/**
 * Has the process killed at each of these positions, round by round on one ledger, which in the end is what all its
 * commands come to. @returns how long each start took.
 */
async function killAll(client: Client, positions: readonly Position[]): Promise<number[]> {
  const starts: number[] = []
  for (const position of positions) {
    const round = await client.round({ waves: client.nextWaves(), ...position })
    expect(round.killedAt, `round ${client.rounds}`).toBe(Object.values(position)[0])
    starts.push(round.sinceStartMs ?? 0)
  }
  // Commands that the last kill left unacknowledged are repeated once more, without a kill.
  await client.round({ waves: [client.unacknowledged(), []] })
  expect(client.unacknowledged()).toEqual([])
  await client.expectEqualToReplay()
  return starts
}

/** PGlite works in the process itself, so there neither a read nor a statement within a transaction leaves a trace. */
function isOwnState(position: string): boolean {
  return isPostgres || /^before begin|^(?:before|after) commit|^after update writer_lease/.test(position)
}

async function newFolder(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-kill-'))
  await copyMigratedPglite(join(folder, 'pglite'), MIGRATIONS)
  return { where: join(folder, 'pglite'), cleanUp: () => rm(folder, { recursive: true, force: true }) }
}

async function newPostgres(): Promise<TestDatabase> {
  const { url, drop } = await newTestPostgres()
  const db = await openPostgresDatabase(url, { maxConnections: 1 })
  await migrate(db, MIGRATIONS)
  await db.close()
  return { where: url, cleanUp: drop }
}
