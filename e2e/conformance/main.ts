import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { conformance, playwrightRuns, vitestRuns } from '../../scripts/conformance.ts'
import { ROWS, type Row, SECTIONS } from './rows.ts'

/**
 * Compares every row of the specification with the reports of the last `npm test`, and docs/reference/conformance.md with
 * the page generated from those reports. `--write` writes the page.
 */
const root = join(import.meta.dirname, '../..')
const reports = join(root, 'node_modules/.cache/clearwell-reports')
const pageFile = join(root, 'docs/reference/conformance.md')

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const { page, faults } = conformance({
  rows: ROWS as readonly Row[],
  sections: SECTIONS,
  // Without PostgreSQL, the stage of that name has run nothing and the stage `unit` everything.
  runs: [
    ...vitestRuns(readReport('unit'), root),
    ...vitestRuns(readReport('postgres', '{"testResults":[]}'), root),
    ...playwrightRuns(readReport('e2e'), root),
  ],
})

for (const fault of faults) console.log(fault)
if (values.write) writeFileSync(pageFile, page)
const isUpToDate = existsSync(pageFile) && readFileSync(pageFile, 'utf8') === page
if (!isUpToDate)
  console.log('docs/reference/conformance.md is out of date. Write it with: node e2e/conformance/main.ts --write')
console.log(`${ROWS.length - faults.length} of ${ROWS.length} rows are as the specification says.`)
process.exitCode = faults.length === 0 && isUpToDate ? 0 : 1

/** @param fallback for a stage that may not have run. */
function readReport(stage: string, fallback?: string): string {
  try {
    return readFileSync(join(reports, `${stage}.json`), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    if (fallback !== undefined) return fallback
    console.error(`There is no report of the stage "${stage}": run npm test -- --only unit,e2e first.`)
    process.exit(1)
  }
}
