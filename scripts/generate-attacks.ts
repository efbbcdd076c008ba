import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageOf, readAttacks } from './attacks.ts'
import { readSources } from './boundaries/sources.ts'

/**
 * Writes docs/reference/attacks.md from the tags above the tests. With `--check` it only reports whether the page is up to
 * date. Faults of the tags fail both.
 */
const root = join(import.meta.dirname, '..')
const FILE = join(root, 'docs/reference/attacks.md')

const { attacks, faults } = readAttacks(readSources(root))
for (const { path, line, message } of faults) process.stderr.write(`${path}:${line} ${message}\n`)
if (faults.length > 0) process.exitCode = 1

const page = pageOf(attacks)
if (!process.argv.includes('--check')) writeFileSync(FILE, page)
else if (page !== readFileSync(FILE, 'utf8')) {
  process.stderr.write(
    'docs/reference/attacks.md is out of date: run npx node scripts/generate-attacks.ts and commit the page\n',
  )
  process.exitCode = 1
}
