import { formatTable } from '../../scripts/format-table.ts'
import { threadCpuMs } from './cpu.ts'

/** The most that a step in a line may cost, as a multiple of the same step in a flat team. */
const LIMIT = 1.3
const RUNS = 5
/** Times that each run does each step. */
const TIMES = 150
/** The same before the first run. */
const WARM = 10

export interface ShapeStep<World> {
  readonly what: string
  run(world: World): Promise<unknown>
}

/**
 * Runs steps in two worlds of different shape, in turn, and prints for each step the median of five runs: processor time of
 * this thread, which PGlite shares, and how many times more the second world takes.
 */
export async function compareShapes<World>(
  title: string,
  worlds: readonly [flat: World, line: World],
  steps: readonly ShapeStep<World>[],
): Promise<void> {
  const cost = steps.map(() => [[], []] as readonly [number[], number[]])
  for (let run = -1; run < RUNS; run++) {
    const sums = steps.map(() => [0, 0] as [number, number])
    for (let time = 0; time < (run < 0 ? WARM : TIMES); time++)
      for (const [index, step] of steps.entries())
        for (const side of time % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          const startedMs = threadCpuMs()
          await step.run(worlds[side])
          ;(sums[index] as [number, number])[side] += threadCpuMs() - startedMs
        }
    if (run < 0) continue
    for (const [index, sum] of sums.entries())
      for (const side of [0, 1] as const) cost[index]?.[side].push(sum[side] / TIMES)
  }
  const rows = steps.map(({ what }, index) => {
    const [flat, line] = cost[index] as readonly [number[], number[]]
    const ratio = medianOf(line.map((each, run) => each / (flat[run] as number)))
    return [
      what,
      medianOf(flat).toFixed(2),
      medianOf(line).toFixed(2),
      `${ratio.toFixed(2)} ×`,
      ratio <= LIMIT ? 'within' : 'beyond',
    ]
  })
  const head = [`${title}, processor ms`, 'flat', 'a line', `median of ${RUNS}`, `limit ${LIMIT} ×`]
  console.log(`\n${formatTable([head, ...rows])}\n`)
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
