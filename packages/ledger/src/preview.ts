import { Batch, type Outcome } from './batch.ts'
import { CommittedCache, type DecidedEntry } from './book.ts'
import type { Command, Context } from './command.ts'
import type { Database } from './database.ts'
import { readTip } from './reads.ts'

/** The decision of a command on the committed state. */
export interface Preview<Result> {
  readonly result: Result
  /** The entries that the command would write, each posting with the balance after it. */
  readonly entries: readonly DecidedEntry[]
}

/**
 * Decides a command as the writer would now, and writes nothing. Another command may change the state before the real one.
 *
 * @throws Error when the command refuses, or has a bug.
 */
export async function previewCommand<Result>(
  db: Database,
  command: Command<Result>,
  context: Context,
): Promise<Preview<Result>> {
  const batch = new Batch({ db, cache: new CommittedCache(), tip: await readTip(db), before: undefined, startedMs: 0 })
  const unused = () => {}
  await batch.decide([{ command: { ...command, key: undefined }, context, resolve: unused, reject: unused }])
  if (batch.fault !== undefined) throw batch.fault
  const decision = batch.decided[0]?.decision
  if (!decision || 'bug' in decision) throw decision?.bug ?? new Error('the command was not decided')
  return { result: resultOf(decision.outcome) as Result, entries: batch.book.entries }
}

function resultOf(outcome: Outcome): unknown {
  if ('ok' in outcome) return outcome.ok
  throw new Error(`the ledger refuses: ${outcome.refusal}`)
}
