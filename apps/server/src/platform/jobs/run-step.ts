import type { Database } from '@clearwell/ledger/database'
import type { JobRow, JobStore, Progress } from './job.store.ts'
import { type AnyJob, nextDue, type StepResult } from './job.ts'

/**
 * Runs the step that a row is at, and commits it together with the row.
 *
 * @returns false where another server has run it meanwhile, or is running it.
 */
export async function runStep(
  { db, store }: { readonly db: Database; readonly store: JobStore },
  job: AnyJob,
  row: JobRow,
  now: Date,
): Promise<boolean> {
  const { name, key, step, input, state, due_at: dueAt } = row
  const run = { input, state, dueAt, now, stepKey: `${name}:${key}:${step}` }
  await job.act?.(run)
  return db.transaction(async (tx) => {
    const held = await store.hold(tx, row, now)
    if (held?.step !== step) return false
    await store.advance(tx, row, progressAfter(job, dueAt, now, await job.step(tx, run)), now)
    return true
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the state of any job.
function progressAfter({ recurs }: AnyJob, dueAt: Date, now: Date, result: StepResult<any>): Progress {
  if (result !== 'done') return { state: result.next, dueAt, isFinished: false }
  if (!recurs) return { state: undefined, dueAt, isFinished: true }
  return { state: undefined, dueAt: nextDue(recurs, dueAt, now), isFinished: false }
}
