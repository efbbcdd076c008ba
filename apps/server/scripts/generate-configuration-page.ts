import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VARIABLES } from '../src/config/environment.ts'
import { composeSchema } from '../src/config/read-config.ts'
import { CONFIG_PARTS } from '../src/load-config.ts'
import { type Field, fieldsOf, type JsonSchema, jsonSchema } from '../src/platform/http/json-schema.ts'

/**
 * Writes the tables of docs/reference/configuration.md from the schemas of the configuration and the list of environment
 * variables. With `--check` it only reports whether the page is up to date.
 */
const FILE = join(import.meta.dirname, '../../../docs/reference/configuration.md')
const ASSETS = ['BNB', 'USDT', 'ETH']

const schema = jsonSchema(composeSchema(CONFIG_PARTS), 'input')
const { market, ...others } = schema.properties ?? {}
const [simulated, live] = market?.oneOf ?? []
const tables: Readonly<Record<string, string>> = {
  environment: table(
    ['variable', 'default', 'what it is'],
    Object.entries(VARIABLES).map(([name, { fallback, about }]) => [`\`${name}\``, fallback, about]),
  ),
  file: fieldTable({
    ...schema,
    properties: { ...others, market: { title: '', description: market?.description ?? '' } },
  }),
  'simulated market': fieldTable(simulated),
  'live market': fieldTable(live),
}

const page = readFileSync(FILE, 'utf8')
const expected = page.replaceAll(
  /(<!-- generated: (.+?) -->\n)[\s\S]*?(\n<!-- end -->)/g,
  (_block, begin: string, name: string, end: string) => {
    if (tables[name] === undefined) throw new Error(`configuration.md asks for a table that does not exist: ${name}`)
    return `${begin}\n${tables[name]}\n${end}`
  },
)
if (!process.argv.includes('--check')) writeFileSync(FILE, expected)
else if (page !== expected) {
  process.stderr.write('docs/reference/configuration.md is out of date: run npm run generate -w apps/server\n')
  process.exitCode = 1
}

/** One row per value. Keys that every asset has alike are one row. */
function fieldTable(described: JsonSchema = {}): string {
  const fields = fieldsOf(described)
  const defaults = new Map(
    fields.flatMap((field) => (field.default === undefined ? [] : [[field.path, field.default]])),
  )
  const rows = new Map<string, string[]>()
  for (const field of fields) {
    const path = field.path.replace(new RegExp(`\\.(${ASSETS.join('|')})(?=\\.|$)`), '.<asset>')
    const isParent = fields.some(
      ({ path: each }) => /^[.[]/.test(each.slice(field.path.length)) && each.startsWith(field.path),
    )
    if (rows.has(path) || (isParent && field.description === '')) continue
    const [type, fallback] = isParent && field.default !== null ? ['', ''] : [field.type, defaultOf(field, defaults)]
    rows.set(path, [`\`${path}\``, type, fallback, field.description])
  }
  return table(['key', 'value', 'default', 'what it is'], [...rows.values()])
}

/** A key's own default, or its part of the default of a parent that the file may leave out. */
function defaultOf({ path, default: own }: Field, defaults: ReadonlyMap<string, unknown>): string {
  if (own !== undefined) return `\`${JSON.stringify(own)}\``
  for (const [parent, value] of defaults) {
    if (!path.startsWith(`${parent}.`) || value === null) continue
    const keys = path.slice(parent.length + 1).split('.')
    if (keys.some((key) => ASSETS.includes(key))) return 'differs by asset'
    const part = keys.reduce<unknown>((object, key) => (object as Record<string, unknown> | undefined)?.[key], value)
    return `\`${JSON.stringify(part)}\``
  }
  return ''
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
