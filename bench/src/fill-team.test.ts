import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { rankLedger } from '@clearwell/server/src/features/rank/keep-ranks.ts'
import { addGains } from '@clearwell/server/src/features/rank/rank.store.ts'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { expect, test } from 'vitest'
import { openBenchWriter } from './bench-writer.ts'
import { fillTeam, inviterOf, isActivated, memberId, volumeOf } from './fill-team.ts'
import { teamCommands } from './team-commands.ts'

const SHAPE = { members: 80, depth: 3, at: new Date('2026-11-23T04:00:00Z') }
const TABLES = ['users', 'members', 'activations', 'last_numbers', 'memberships', 'rank_scores', 'rank_turns']

test('the bulk fill leaves the same rows as the commands', async () => {
  const [filled, real] = [await openTestDatabase(MIGRATION_FOLDERS), await openTestDatabase(MIGRATION_FOLDERS)]
  await fillTeam(filled, SHAPE)
  const clock = { now: () => SHAPE.at }
  const writer = await openBenchWriter(real, clock)
  const { join, activate } = teamCommands({ db: real, writer, clock })
  const numbers = Array.from({ length: SHAPE.members }, (_, index) => index + 1)
  await Promise.all(numbers.map((number) => join(number, inviterOf(number, SHAPE))))
  await Promise.all(numbers.filter(isActivated).map(activate))
  const run = { input: null, state: undefined, dueAt: SHAPE.at, now: SHAPE.at, stepKey: '' }
  while ((await real.transaction((tx) => rankLedger.step(tx, run))) !== 'done') {}
  const gains = numbers.map((number) => ({
    board: 'volume' as const,
    userId: memberId(number),
    units: volumeOf(number),
    at: SHAPE.at,
  }))
  await real.transaction((tx) => addGains(tx, gains))
  for (const table of TABLES) {
    const rows = await Promise.all(
      [filled, real].map((db) => db.query(`select * from ${table} order by ${table}::text`)),
    )
    expect(rows[0], table).toEqual(rows[1])
    expect(rows[0]?.length, table).toBeGreaterThan(0)
  }
  const levels = await filled.query<{ level: number }>('select max(level) as level from memberships')
  expect(levels[0]?.level).toBeGreaterThan(1)
  await writer.close()
  for (const db of [filled, real]) await db.close()
}, 60_000)
