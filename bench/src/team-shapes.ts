import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { endLater } from './clean-up.ts'
import type { TeamShape } from './fill-team.ts'
import { compareShapes, type ShapeStep } from './shape-pair.ts'
import { type BenchTeam, openBenchTeam } from './team-members.ts'

const STEPS: readonly ShapeStep<BenchTeam>[] = [
  { what: 'read the counts at the top', run: (team) => team.overview() },
  { what: 'join at the end, with a deposit', run: (team) => team.join() },
  { what: 'read the counts after the join', run: (team) => team.overview() },
  { what: 'activate at the end', run: (team) => team.activate() },
  { what: 'read the counts after the activation', run: (team) => team.overview() },
  { what: 'list a direct lead', run: (team) => team.page() },
  { what: 'search by address', run: (team) => team.search() },
  { what: 'search by three digits', run: (team) => team.searchMany() },
]

/** Measures the same calls in a flat team and in a line of as many members, on PGlite in this process, in turn. */
export async function benchTeamShapes(members: number): Promise<void> {
  const flat = await open('flat', { members, depth: 1, leads: members, inviter: 1 })
  const line = await open('a line', { members, depth: members, inviter: members })
  await compareShapes(`team of ${members}`, [flat.team, line.team], STEPS)
  for (const { team, remove } of [flat, line]) {
    await team.close()
    await remove()
  }
}

async function open(name: string, shape: Omit<TeamShape, 'at'> & { readonly inviter: number }) {
  console.log(`… filling ${shape.members} members, ${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-team-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  endLater(remove)
  const team = await openBenchTeam(await openPgliteDatabase(folder), { ...shape, hasNoBoards: true })
  const before = process.memoryUsage().arrayBuffers
  const startedMs = performance.now()
  const { total } = await team.overview()
  const held = (process.memoryUsage().arrayBuffers - before) / 1_048_576
  if (total !== shape.members - 1) throw new Error(`the first member has ${total} members below`)
  console.log(
    `… the first read loads them in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s, ${held.toFixed(0)} MB`,
  )
  return { team, remove }
}
