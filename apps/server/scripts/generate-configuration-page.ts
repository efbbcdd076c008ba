import { composeSchema } from '../src/config/read-config.ts'
import { VARIABLES } from '../src/config/variables.ts'
import { CONFIG_PARTS } from '../src/load-config.ts'
import { type Field, fieldsOf, type JsonSchema, jsonSchema } from '../src/platform/http/json-schema.ts'
import { tableOf, writeTables } from './write-tables.ts'

/** Writes the tables of docs/reference/configuration.md from the schemas of the configuration and the environment variables. */
const ASSETS = ['BNB', 'USDT', 'ETH']

const schema = jsonSchema(composeSchema(CONFIG_PARTS), 'input')
const { market, ...others } = schema.properties ?? {}
const [simulated, live] = market?.oneOf ?? []
const tables: Readonly<Record<string, string>> = {
  environment: tableOf(
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

writeTables('configuration.md', tables)

/** One row per value. Keys that every asset has alike are one row. */
function fieldTable(described: JsonSchema = {}): string {
  const fields = fieldsOf(described)
  const rows = new Map<string, string[]>()
  for (const field of fields) {
    const path = field.path.replace(new RegExp(`\\.(${ASSETS.join('|')})(?=\\.|$)`), '.<asset>')
    const isParent = fields.some(
      ({ path: each }) => /^[.[]/.test(each.slice(field.path.length)) && each.startsWith(field.path),
    )
    if (rows.has(path) || (isParent && field.description === '')) continue
    const [type, fallback] = isParent && field.default !== null ? ['', ''] : [field.type, defaultOf(field)]
    rows.set(path, [`\`${path}\``, type, fallback, field.description])
  }
  return tableOf(['key', 'value', 'default', 'what it is'], [...rows.values()])
}

function defaultOf({ path, default: own }: Field): string {
  if (own === undefined) return ''
  return path.split('.').some((key) => ASSETS.includes(key)) ? 'differs by asset' : `\`${JSON.stringify(own)}\``
}
