import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TABLES, type TableRetention } from '../src/retention.ts'

/**
 * Writes the table of docs/reference/retention.md from the list of tables. With `--check` it only reports whether the page is
 * up to date.
 */
const FILE = join(import.meta.dirname, '../../../docs/reference/retention.md')

const rows = TABLES.map((each) => `| \`${each.table}\` | ${retentionOf(each)} |`)
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

function retentionOf(each: TableRetention): string {
  if ('forEver' in each) return `for ever: ${each.forEver}`
  if (!('key' in each) || each.key === '') return `until ${each.until}`
  return `until ${each.until} \`${each.key}\``
}
