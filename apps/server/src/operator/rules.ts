import type { Database } from '@clearwell/ledger/database'
import { ruleActions } from '../platform/rules/announce-rule.ts'
import type { AnyRule } from '../platform/rules/rule.ts'
import { type RuleRow, readSchedule, rules as rulesTable } from '../platform/rules/rules.tables.ts'
import { followingAt } from '../platform/rules/schedule.ts'
import { RULES } from '../rules.ts'
import { type Arguments, failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { withDatabase } from './open-books.ts'
import { requestAction, type Site } from './request-action.ts'

const [announceRule, withdrawRule] = ruleActions(RULES)

export const rules: OperatorCommand = {
  about:
    'lists the rules that can change, with their values in force and announced; announces a change, or withdraws one',
  words: '[announce <rule> <value> [--from <time>] | withdraw <change>] [--reason <text>] [--execute]',
  options: ['reason', 'execute', 'from'],
  async run(args) {
    const [verb, key, value, ...rest] = args.words
    if (rest.length > 0) return undefined
    if (verb === undefined) return withDatabase((db) => list(db, args.json))
    const { reason } = args
    if (!key || !reason || !isPrintable(reason)) return undefined
    if (verb === 'announce' && value !== undefined)
      return withDatabase((db, site) => announce(site, db, { ...args, reason, key, value }))
    if (verb !== 'withdraw' || value !== undefined || args.from !== undefined) return undefined
    return withDatabase((db, site) =>
      requestAction(site, db, { action: withdrawRule, payload: { id: key }, args: { ...args, reason } }),
    )
  },
}

async function announce(
  site: Site,
  db: Database,
  args: Arguments & { readonly reason: string; readonly key: string; readonly value: string },
): Promise<Outcome> {
  const { key, from } = args
  const rule = RULES.find((each) => each.key === key)
  if (!rule)
    return failure(`There is no rule ${JSON.stringify(key)}. The rules: ${RULES.map((each) => each.key).join(', ')}.`)
  const start = from === undefined ? undefined : new Date(from)
  if (start && Number.isNaN(start.getTime())) return failure('--from must be a time such as 2026-12-01T00:00:00Z.')
  const row = (await readRows(db)).find(({ id }) => id === key)
  const last = row && readSchedule<unknown>(rule, row).at(-1)?.value
  const payload = {
    rule: key,
    value: readValue(rule, args.value, last),
    ...(start ? { from: start.toISOString() } : {}),
  }
  return requestAction(site, db, { action: announceRule, payload, args })
}

/** The value that the operator wrote: JSON or plain text. Fields that an object does not name stay as they were announced last. */
function readValue(rule: Pick<AnyRule, 'schema'>, text: string, last: unknown): unknown {
  const value = parseJson(text)
  const whole = isObject(value) && isObject(last) ? { ...last, ...value } : value
  return rule.schema.safeParse(whole).success || !rule.schema.safeParse(text).success ? whole : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

async function list(db: Database, json: boolean): Promise<Outcome> {
  const rows = await readRows(db)
  const now = new Date()
  const found = RULES.flatMap((rule) => {
    const row = rows.find(({ id }) => id === rule.key)
    if (!row) return []
    const [inForce, ...announced] = followingAt(readSchedule<unknown>(rule, row), now)
    return inForce ? [{ rule: rule.key, value: inForce.value, from: inForce.from, announced }] : []
  })
  const text = json ? JSON.stringify({ rules: found }, null, 2) : found.map(linesOf).join('\n')
  return { text: text || 'No server has stored the first values yet: start one.', faults: [], exitCode: 0 }
}

function linesOf({
  rule,
  value,
  announced,
}: {
  rule: string
  value: unknown
  announced: readonly Announced[]
}): string {
  return [
    `${rule}  ${JSON.stringify(value)}`,
    ...announced.map(
      (next) => `  ${rule}-${next.change}  ${JSON.stringify(next.value)} from ${next.from.toISOString()}`,
    ),
  ].join('\n')
}

type Announced = { readonly value: unknown; readonly from: Date; readonly change: number }

const readRows = (db: Database) => db.query<RuleRow>(`select ${rulesTable.columns} from rules order by id`)
