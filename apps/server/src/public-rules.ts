import type { ResponseOf } from '@clearwell/api/routes'
import type { ruleRoutes } from '@clearwell/api/rule.routes'
import type { Database } from '@clearwell/ledger/database'
import { type Cursor, cursorParams } from './platform/database/page.ts'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from './platform/http/paging.ts'
import type { HandlersOf } from './platform/http/request-context.ts'
import type { RuleChangeRow } from './platform/rules/rules.tables.ts'
import { cached } from './platform/time/cached.ts'
import type { Clock } from './platform/time/clock.ts'
import { readUpgrades, type UpgradeRow } from './platform/upgrades/planned-upgrades.ts'
import { RULES } from './rules.ts'

type Change = ResponseOf<'config'>['announced'][number]
type Announced = Pick<ResponseOf<'config'>, 'announced' | 'upgrades'>

/** Everyone's `GET /config` names at most so many. */
const MOST_ANNOUNCED = 10
const MAX_AGE_MS = 1_000

const LENDING = { en: 'Parameters of the lending market', 'zh-HK': '借貸市場的參數' }

/** The changes of rules, and the sets of lending parameters after the first, as one list. */
const CHANGES = `select id, rule, old_value, new_value, announced_at, starts_at, withdrawn_at from rule_changes
  union all select 'lending-' || id, 'lending', '', '', announced_at, effective_at, null
  from lending_parameters where id <> '1'`

/** The public list of changes. */
export function ruleHandlers({ db }: { readonly db: Database }): HandlersOf<typeof ruleRoutes> {
  return {
    async ruleChanges({ cursor, limit = DEFAULT_PAGE }) {
      const rows = await readChanges(db, decodeCursor(cursor), limit + 1)
      return pageOf(rows, limit, changeItem, (row) => encodeCursor({ at: row.announced_at, id: row.id }))
    },
  }
}

/** Reads what is announced for later, once a second at most. */
export function createAnnounced({
  db,
  clock,
}: {
  readonly db: Database
  readonly clock: Clock
}): () => Promise<Announced> {
  const announced = cached({
    async read() {
      const now = clock.now()
      const [changes, upgrades] = await Promise.all([readNext(db, now), readUpgrades(db, now, MOST_ANNOUNCED)])
      return { announced: changes.map(changeItem), upgrades: upgrades.map(upgradeItem) }
    },
    maxAgeMs: MAX_AGE_MS,
    clock,
  })
  return () => announced.get(undefined)
}

function readChanges(db: Database, after: Cursor | undefined, limit: number): Promise<RuleChangeRow[]> {
  return db.query<RuleChangeRow>(
    `select * from (${CHANGES}) changes where (announced_at, id) < ($1::timestamptz, $2::text)
     order by announced_at desc, id desc limit $3`,
    [...cursorParams(after), limit],
  )
}

function readNext(db: Database, now: Date): Promise<RuleChangeRow[]> {
  return db.query<RuleChangeRow>(
    `select * from (${CHANGES}) changes where withdrawn_at is null and starts_at > $1 order by starts_at, id limit $2`,
    [now, MOST_ANNOUNCED],
  )
}

/** Shows the parts that change. A rule that a later version no longer has keeps its key as its title. */
function changeItem(row: RuleChangeRow): Change {
  const rule = RULES.find(({ key }) => key === row.rule)
  const title = row.rule === 'lending' ? LENDING : (rule?.title ?? { en: row.rule, 'zh-HK': row.rule })
  const values = rule && [row.old_value, row.new_value].map((text): unknown => rule.schema.parse(JSON.parse(text)))
  const parts = (rule?.parts ?? []).map(({ title, unit, read }) => {
    const [before = '', after = ''] = (values ?? []).map((value) => read(value))
    return { title, unit, before, after }
  })
  return {
    id: row.id,
    rule: row.rule,
    title,
    parts: parts.filter(({ before, after }) => before !== after),
    announced_at: row.announced_at.toISOString(),
    starts_at: row.starts_at.toISOString(),
    withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
  }
}

function upgradeItem({ id, starts_at, ends_at, text_en, text_zh_hk }: UpgradeRow): Announced['upgrades'][number] {
  const text = { en: text_en, 'zh-HK': text_zh_hk }
  return { id, starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString(), text }
}
