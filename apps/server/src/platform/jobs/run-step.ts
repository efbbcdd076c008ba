import type { Database } from '@clearwell/ledger/database'
import type { JobKey, JobRow, JobStore, Progress } from './job.store.ts'
import { type AnyJob, nextDue, type StepResult } from './job.ts'

/**
 * Runs the step that a row is at, and commits it together with the row.
 *
 * @returns false where another server has run it meanwhile, or is running it.
 */
export async function runStep(
  { db, store }: { readonly db: Database; readonly store: JobStore },
  job: AnyJob,
  key: JobKey,
  now: Date,
): Promise<boolean> {
  const acted = job.act && (await store.read(key, now))
  if (job.act && !acted) return false
  if (acted) await job.act?.(runOf(acted, now))
  return db.transaction(async (tx) => {
    const held = await store.hold(tx, key, now)
    // The work outside the transaction was for one step only.
    if (!held || (acted && held.step !== acted.step)) return false
    const result = await job.step(tx, runOf(held, now))
    await store.advance(tx, key, progressAfter(job, held.due_at, now, result), now)
    return true
  })
}

function runOf({ name, key, input, state, due_at: dueAt, step }: JobRow, now: Date) {
  return { input, state, dueAt, now, stepKey: `${name}:${key}:${step}` }
}

// biome-ignore lint/suspicious/noExplicitAny: the state of any job.
function progressAfter({ recurs }: AnyJob, dueAt: Date, now: Date, result: StepResult<any>): Progress {
  if (result !== 'done') return { state: result.next, dueAt, isFinished: false }
  if (!recurs) return { state: undefined, dueAt, isFinished: true }
  return { state: undefined, dueAt: nextDue(recurs, dueAt, now), isFinished: false }
}
