import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newTestPostgres } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { VARIABLES } from '../config/variables.ts'
import { MIGRATION_FOLDERS } from '../platform/database/open-database.ts'
import { runInEnvironment } from './testing/run-in-environment.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'

/** The only variable of the environment: the database. On PGlite it is a folder. */
let only: Record<string, string>
let end: () => Promise<void>
beforeAll(async () => {
  if (isPostgres) {
    const { url, drop } = await newTestPostgres(MIGRATION_FOLDERS)
    only = { DATABASE_URL: url }
    end = drop
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-reading-'))
  only = { DATA_DIR: folder }
  end = () => rm(folder, { recursive: true })
})
afterAll(() => end())

/** Runs a command without any other variable. */
function run(...args: string[]) {
  for (const name of Object.keys(VARIABLES)) vi.stubEnv(name, undefined)
  return runInEnvironment(only, args)
}

const READING = [
  'alarms',
  'audit',
  'breaker',
  'actions',
  'persons',
  'requests',
  'pools',
  'lending',
  'rules',
  'treasury',
  'upgrades',
  'payouts list',
]

// Each opens the database again, which takes PGlite seconds.
test.each(isPostgres ? READING : READING.slice(0, 2))(
  '%s needs the address of the database alone',
  async (command) => {
    expect(await run(...command.split(' '))).toMatchObject({ code: 0, stderr: '' })
  },
  60_000,
)

test('commands of a person ask for no key of a server', async () => {
  const address = `0x${'2'.repeat(40)}`
  const reason = ['--reason', 'a test', '--execute']
  for (const args of [
    ['freeze', address, ...reason],
    ['sessions', 'revoke', address, ...reason],
    ['user', address, ...reason.slice(0, 2)],
  ])
    expect(await run(...args)).toMatchObject({
      code: 1,
      stderr: 'The ledger has no vault yet: start the server first.\n',
    })
}, 60_000)
