import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Retention } from '@clearwell/ledger/table'
import { TABLES } from '../src/tables.ts'

/**
 * Writes the table of docs/reference/retention.md from the descriptions of the tables. With `--check` it only reports whether the page is
 * up to date.
 */
const FILE = join(import.meta.dirname, '../../../docs/reference/retention.md')

const sorted = TABLES.toSorted((a, b) => (a.name < b.name ? -1 : 1))
const rows = sorted.map(({ name, keptFor }) => `| \`${name}\` | ${describeRetention(keptFor)} |`)
const table = ['| table | a row is kept |', '|---|---|', ...rows].join('\n')
const page = readFileSync(FILE, 'utf8')
const expected = page.replace(
  /(<!-- generated: tables -->\n)[\s\S]*?(\n<!-- end -->)/,
  (_block, begin: string, end: string) => `${begin}\n${table}\n${end}`,
)
if (!process.argv.includes('--check')) writeFileSync(FILE, expected)
else if (page !== expected) {
  process.stderr.write('docs/reference/retention.md is out of date: run npm run generate -w apps/server\n')
  process.exitCode = 1
}

function describeRetention(keptFor: Retention): string {
  if ('forever' in keptFor) return `for ever: ${keptFor.forever}`
  const days = keptFor.deletion?.days
  return `until ${keptFor.until}${typeof days === 'string' ? ` \`${days}\`` : ''}`
}
