import type { TraceEvent } from './page-scripts.ts'

/** Lighthouse's mobile preset takes a phone to be as many times slower. */
const SLOWER = 4
/** Beyond this a task keeps a touch waiting. */
const LONG_TASK_MS = 50

/**
 * Total blocking time of a traced load, in ms of a phone: what each task of the page's main thread takes beyond 50 ms.
 *
 * Lighthouse multiplies the time that passed, and on a machine that also runs the server, the chain and Lighthouse a task
 * often waits for a core. This multiplies the processor time of the task, which does not depend on its neighbours.
 *
 * @see https://web.dev/articles/tbt
 */
export function blockingTimeMs(trace: readonly TraceEvent[]): number {
  const thread = mainThreadOf(trace)
  const tasks = trace.filter((event) => event.name === 'RunTask' && threadOf(event) === thread)
  if (tasks.length === 0) throw new Error('the trace has no tasks of the page')
  return tasks.reduce((sum, { tdur = 0 }) => sum + Math.max(0, (tdur / 1000) * SLOWER - LONG_TASK_MS), 0)
}

/** The thread that parsed the most HTML: a browser keeps spare ones. */
function mainThreadOf(trace: readonly TraceEvent[]): string | undefined {
  const parsed = Map.groupBy(
    trace.filter(({ name }) => name === 'ParseHTML'),
    threadOf,
  )
  return [...parsed].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0]
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid}:${tid}`
}
