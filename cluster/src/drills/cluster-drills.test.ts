import { appendFile } from 'node:fs/promises'
import { CannotRun, type Ends } from '@clearwell/sim/src/drills/drill.ts'
import { expect, test } from 'vitest'
import { clusterDrillNames, loadClusterDrill } from './cluster-drill.ts'

/** `npm run cluster -- drill` names one drill and the file for its result. Without it, all are skipped. */
const { CLUSTER_DRILL, DRILL_RESULT } = process.env
const chosen = clusterDrillNames().filter((name) => CLUSTER_DRILL === undefined || name === CLUSTER_DRILL)

test.skipIf(CLUSTER_DRILL === undefined).each(chosen)(
  'no acknowledged command of a cluster is lost or doubled: %s',
  async (name) => {
    const { run } = await loadClusterDrill(name)
    const ends: Ends = []
    const record = (result: object) => (DRILL_RESULT ? appendFile(DRILL_RESULT, JSON.stringify(result)) : undefined)
    try {
      const result = await run(ends)
      await record(result)
      expect(result.acknowledged).toBeGreaterThan(0)
      expect({ lost: result.lost, doubled: result.doubled }).toEqual({ lost: 0, doubled: 0 })
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error
      await record({ notRun: error.message })
      console.warn(`${name} was not run: ${error.message}`)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
  1_200_000,
)
