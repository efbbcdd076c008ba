import { appendFile } from 'node:fs/promises'
import { canShareLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { expect, test } from 'vitest'
import { CannotRun, drillNames, type Ends, loadDrill } from './drill.ts'

/** `npm run drill` names the drills and the file for their results. Without it, the quick ones run. */
const { DRILLS, DRILL_RESULTS } = process.env
const drills = await Promise.all(drillNames().map(async (name) => ({ name, ...(await loadDrill(name)) })))
const chosen = drills.filter(({ name, isQuick }) => (DRILLS ? DRILLS.split(',').includes(name) : isQuick))

test.runIf(canShareLedger).each(chosen)(
  'no acknowledged command is lost or doubled: $name',
  async ({ name, run }) => {
    const ends: Ends = []
    const record = (result: object) =>
      DRILL_RESULTS ? appendFile(DRILL_RESULTS, `${JSON.stringify({ name, ...result })}\n`) : undefined
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
  300_000,
)
