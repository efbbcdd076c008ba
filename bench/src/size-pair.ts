import type { Database } from '@clearwell/ledger/database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { formatTable } from '../../scripts/format-table.ts'

/** The most that a figure may grow from the small size to the large one. */
const LIMIT = 1.3
const TEN = 10

/** Times in ms of one step at the small size and at the large one. */
export type PairTimes = readonly [number[], number[]]

/** One figure at both sizes. A peer has no limit, nor has a figure that may grow up to a bound. */
export interface PairFigure {
  readonly what: string
  readonly times: PairTimes
  readonly hasNoLimit?: boolean
}

/** Runs a step at both sizes. The order alternates with the round, so that other work on the machine affects both alike. */
export async function timeInTurn<World>(
  worlds: readonly [World, World],
  {
    run,
    round,
    times,
    nowMs = () => performance.now(),
  }: { run(world: World): Promise<unknown>; round: number; times: PairTimes; nowMs?: (() => number) | undefined },
): Promise<void> {
  for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
    const startedMs = nowMs()
    await run(worlds[index])
    times[index].push(nowMs() - startedMs)
  }
}

/** Takes each ten rounds as one: the clock of the processor advances in steps of about a millisecond. */
export function meansOf({ times, ...figure }: PairFigure): PairFigure {
  const means = (all: readonly number[]) =>
    Array.from(
      { length: Math.floor(all.length / TEN) },
      (_, index) => sumOf(all.slice(index * TEN, (index + 1) * TEN)) / TEN,
    )
  return { ...figure, times: [means(times[0]), means(times[1])] }
}

/** Prints the medians at both sizes, and whether each ratio is within the limit. */
export function printRatios(title: string, sizes: readonly [string, string], figures: readonly PairFigure[]): void {
  const rows = figures.map(({ what, times, hasNoLimit }) => {
    const [small, large] = [medianOf(times[0]), medianOf(times[1])]
    const ratio = ratioOf(times)
    const verdict = hasNoLimit ? '' : ratio <= LIMIT ? 'within' : 'beyond'
    return [what, small.toFixed(2), large.toFixed(2), `${ratio.toFixed(2)} ×`, verdict]
  })
  console.log(`\n${formatTable([[`${title}, median ms`, ...sizes, 'ratio', `limit ${LIMIT} ×`], ...rows])}\n`)
}

/**
 * Returns how many times longer a step takes at the large size: the median over pairs of rounds. The times of a pair are
 * milliseconds apart, so a machine that is slower for a while changes both sizes alike, and each size is first in one round of
 * the pair. The quotient of the two medians would compare one moment with another.
 */
export function ratioOf([small, large]: PairTimes): number {
  const ratios: number[] = []
  for (let round = 0; round + 1 < Math.max(2, small.length); round += 2)
    ratios.push(sumOf(large.slice(round, round + 2)) / sumOf(small.slice(round, round + 2)))
  return medianOf(ratios)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0)
}

function medianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5)
}

/** Returns the value below which a part of the values is: 0.5 for the median, 1 for the largest. */
export function quantileOf(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
}

/** Creates a database on a server and opens it. Filling it may take minutes. */
export async function openNewDatabase(server: string, name: string): Promise<Database> {
  const url = new URL(server)
  const admin = await openPostgresDatabase(url.href, { maxConnections: 1 })
  await admin.script(`create database ${name}`)
  await admin.close()
  url.pathname = `/${name}`
  return openPostgresDatabase(url.href, { maxConnections: 4, maxQueryMs: 600_000 })
}
