import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from '@clearwell/api/route'
import { routes } from '@clearwell/api/routes'

/**
 * Writes the tables of docs/reference/limits.md from the table of calls. With `--check` it only reports whether the page is
 * up to date.
 */
const FILE = join(import.meta.dirname, '../../../docs/reference/limits.md')

const calls: readonly Route[] = Object.values(routes)
const dear = calls.flatMap(({ path, session, cost }) => {
  if (!cost) return []
  const share = `1/${cost.requests}`
  return [[`\`${path}\``, session === 'none' ? 'address' : 'account', cost.rows.toLocaleString('en'), share]]
})
const other: [string, (call: Route) => boolean, string][] = [
  ['sign-in calls', ({ isSignIn }) => isSignIn === true, 'by address, apart from all others'],
  ['polled calls, answered from memory', ({ isPolled }) => isPolled === true, 'by address, 100 times as many'],
  ['calls that always ask the chain', ({ asksChain }) => asksChain === 'always', 'a tenth of the limit each'],
  ['calls that may ask the exchange', ({ asksExchange }) => asksExchange === true, 'a fifth of the limit each'],
]
const tables: Readonly<Record<string, string>> = {
  'dear calls': tableOf(['call', 'counted by', 'rows read at most', 'share of the limit'], dear),
  'other calls': tableOf(
    ['calls', 'which', 'how they count'],
    other.map(([name, isOne, about]) => [
      name,
      calls
        .filter(isOne)
        .map(({ path }) => `\`${path}\``)
        .join(', '),
      about,
    ]),
  ),
}

const page = readFileSync(FILE, 'utf8')
const expected = page.replaceAll(
  /(<!-- generated: (.+?) -->\n)[\s\S]*?(\n<!-- end -->)/g,
  (_block, begin: string, name: string, end: string) => `${begin}\n${tables[name]}\n${end}`,
)
if (!process.argv.includes('--check')) writeFileSync(FILE, expected)
else if (page !== expected) {
  process.stderr.write('docs/reference/limits.md is out of date: run npm run generate -w apps/server\n')
  process.exitCode = 1
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
