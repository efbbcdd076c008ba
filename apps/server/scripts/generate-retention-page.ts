import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LEDGER_TABLES } from '@clearwell/ledger/ledger-tables'
import type { Retention, Table } from '@clearwell/ledger/table'
import { FEATURES } from '../src/features.ts'
import { PLATFORM_TABLES } from '../src/platform/platform-tables.ts'

/**
 * Writes the tables of docs/reference/retention.md, one for each part of the server, from the descriptions of the database's tables. With
 * `--check` it only reports whether the page is up to date.
 */
const FILE = join(import.meta.dirname, '../../../docs/reference/retention.md')

const parts: readonly (readonly [name: string, tables: readonly Table<unknown>[]])[] = [
  ...FEATURES.map((feature) => [`Feature \`${feature.name}\``, 'tables' in feature ? feature.tables : []] as const),
  ['Platform', PLATFORM_TABLES],
  ['Ledger', LEDGER_TABLES],
]
const sections = parts.filter(([, tables]) => tables.length > 0).map(([name, tables]) => sectionOf(name, tables))
const page = readFileSync(FILE, 'utf8')
const expected = page.replace(
  /(<!-- generated: tables -->\n)[\s\S]*?(\n<!-- end -->)/,
  (_block, begin: string, end: string) => `${begin}\n${sections.join('\n\n')}\n${end}`,
)
if (!process.argv.includes('--check')) writeFileSync(FILE, expected)
else if (page !== expected) {
  process.stderr.write('docs/reference/retention.md is out of date: run npm run generate -w apps/server\n')
  process.exitCode = 1
}

function sectionOf(name: string, tables: readonly Table<unknown>[]): string {
  const sorted = tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const rows = sorted.map((table) => `| \`${table.name}\` | ${cellsOf(table.keptFor).join(' | ')} |`)
  return [`## ${name}`, '', '| table | a row is kept | note |', '|---|---|---|', ...rows].join('\n')
}

/** The period, and the note behind its colon. */
function cellsOf(keptFor: Retention): readonly [string, string] {
  if ('forever' in keptFor) return ['for ever', keptFor.forever]
  const [event = '', ...note] = ('after' in keptFor ? keptFor.after : keptFor.until).split(': ')
  return [`${'after' in keptFor ? `${daysText(keptFor.deletion.days)} after` : 'until'} ${event}`, note.join(': ')]
}

function daysText(days: number | string): string {
  if (typeof days === 'string') return `\`${days}\` days`
  return days === 1 ? '1 day' : `${days} days`
}
