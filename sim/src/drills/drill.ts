import { globSync } from 'node:fs'
import { join } from 'node:path'

/** Ends what a drill has started, the newest first. */
export type Ends = (() => Promise<unknown>)[]

export interface DrillResult {
  /** Commands that a client got a response for. */
  readonly acknowledged: number
  /** Acknowledged commands that the ledger lacks. */
  readonly lost: number
  /** Commands in the ledger that no response of a client names, although each was repeated until it had one. */
  readonly doubled: number
  /** The longest time without an acknowledgement after the fault, or after its repair where the notes say so. */
  readonly secondsToRecovery: number
  readonly notes: string
}

/** A fault of the real product, made on purpose. One file for each: `<name>.drill.ts`. */
export interface Drill {
  readonly about: string
  /** Quick ones run in CI, the others in `npm run nightly`. */
  readonly isQuick: boolean
  /** @throws CannotRun where this machine lacks something. */
  run(ends: Ends): Promise<DrillResult>
}

/** A drill needs something that this machine lacks. It counts as not run, never as passed. */
export class CannotRun extends Error {}

const SUFFIX = '.drill.ts'

/** The names of all drills, by their files. */
export const drillNames = (): string[] =>
  globSync(`*${SUFFIX}`, { cwd: import.meta.dirname })
    .map((file) => file.slice(0, -SUFFIX.length))
    .toSorted()

export async function loadDrill(name: string): Promise<Drill> {
  const { drill } = (await import(join(import.meta.dirname, `${name}${SUFFIX}`))) as { drill: Drill }
  return drill
}
