import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeCodes } from '../src/platform/http/describe-codes.ts'

/**
 * Writes the table of docs/reference/api.md from the codes. With `--check` it only reports whether the page is up to date.
 */
const FILE = join(import.meta.dirname, '../../../docs/reference/api.md')

const rows = describeCodes().map(({ code, http, msg, data }) => `| ${code} | ${http} | ${msg} | ${data} |`)
const table = ['| code | HTTP status | message | data |', '|---|---|---|---|', ...rows].join('\n')

const page = readFileSync(FILE, 'utf8')
const expected = page.replace(
  /(<!-- generated: codes -->\n)[\s\S]*?(\n<!-- end -->)/,
  (_block, begin: string, end: string) => `${begin}\n${table}\n${end}`,
)
if (!process.argv.includes('--check')) writeFileSync(FILE, expected)
else if (page !== expected) {
  process.stderr.write('docs/reference/api.md is out of date: run npm run generate -w apps/server\n')
  process.exitCode = 1
}
