import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { DrillResult, Ends } from '@clearwell/sim/src/drills/drill.ts'

export interface ClusterDrillResult extends DrillResult {
  /** Reads asked for and served in the longest time without an acknowledgement, or while the fault lasted. */
  readonly reads: string
}

/** A fault of a machine, made on purpose. One file for each: `<name>.drill.ts`. */
export interface ClusterDrill {
  readonly about: string
  /** @throws CannotRun where this machine lacks something. */
  run(ends: Ends): Promise<ClusterDrillResult>
}

const SUFFIX = '.drill.ts'

export const clusterDrillNames = (): string[] =>
  globSync(`*${SUFFIX}`, { cwd: import.meta.dirname })
    .map((file) => file.slice(0, -SUFFIX.length))
    .toSorted()

export async function loadClusterDrill(name: string): Promise<ClusterDrill> {
  const { drill } = (await import(join(import.meta.dirname, `${name}${SUFFIX}`))) as { drill: ClusterDrill }
  return drill
}
