import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { METRIC_TABLES } from '../src/metric-tables.ts'
import { ALARMS } from '../src/platform/alarms/alarm-kinds.ts'

/**
 * Writes the tables of docs/reference/metrics.md from the definitions of the metrics and the kinds of alarm. With `--check` it
 * only reports whether the page is up to date.
 */
const FILE = join(import.meta.dirname, '../../../docs/reference/metrics.md')

const metricRows = METRIC_TABLES.flatMap(({ name: part, table }) =>
  Object.entries(table).map(([name, { type, help, labels = {} }]) => {
    const cells = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`)
    return [`\`${name}\``, type, part, help, cells.join('; ')]
  }),
)
const alarmRows = Object.entries(ALARMS).map(([kind, { severity, about }]) => [`\`${kind}\``, severity, about])
const tables: Readonly<Record<string, string>> = {
  metrics: tableOf(['metric', 'type', 'part', 'meaning', 'labels'], metricRows),
  alarms: tableOf(['kind', 'severity', 'meaning'], alarmRows),
}

const page = readFileSync(FILE, 'utf8')
const expected = page.replaceAll(
  /(<!-- generated: (.+?) -->\n)[\s\S]*?(\n<!-- end -->)/g,
  (_block, begin: string, name: string, end: string) => `${begin}\n${tables[name]}\n${end}`,
)
if (!process.argv.includes('--check')) writeFileSync(FILE, expected)
else if (page !== expected) {
  process.stderr.write('docs/reference/metrics.md is out of date: run npm run generate -w apps/server\n')
  process.exitCode = 1
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
