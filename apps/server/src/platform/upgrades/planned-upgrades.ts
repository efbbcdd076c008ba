import { write } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import * as z from 'zod/mini'
import { defineOperatorAction } from '../operator/operator-action.ts'

/** Upgrades that users read about before they happen. */
export const plannedUpgrades = defineWriterTable(
  'planned_upgrades',
  forever('the record of planned upgrades; a few rows a year'),
  {
    id: column.text,
    starts_at: column.time,
    ends_at: column.time,
    text_en: column.text,
    text_zh_hk: column.text,
    announced_at: column.time,
    withdrawn_at: column.optional(column.time),
  },
)
export type UpgradeRow = RowOf<typeof plannedUpgrades>

const MAX_TEXT = 200
const text = z.string().check(z.minLength(1), z.maxLength(MAX_TEXT), z.regex(/^\P{Cc}+$/u, 'control characters'))

const payload = z.strictObject({ from: z.iso.datetime(), until: z.iso.datetime(), en: text, 'zh-HK': text })

export const announceUpgrade = defineOperatorAction<z.output<typeof payload>>({
  kind: 'announce_upgrade',
  role: 'support',
  persons: 1,
  payload,
  decide(draft, { now, id: newId }, { from, until, en, 'zh-HK': zhHk }) {
    const [startsAt, endsAt] = [new Date(from), new Date(until)]
    if (endsAt <= startsAt) return { isDone: false, text: 'empty_window: the upgrade must end after it starts' }
    if (endsAt <= now) return { isDone: false, text: 'window_over: the upgrade must end in the future' }
    const id = newId('upgrade').slice(0, 8)
    const row = { id, starts_at: startsAt, ends_at: endsAt, text_en: en, text_zh_hk: zhHk, announced_at: now }
    draft.add({ rows: [write(plannedUpgrades, { ...row, withdrawn_at: null })] })
    return { isDone: true, text: `The upgrade is announced for ${startsAt.toISOString()} to ${endsAt.toISOString()}.` }
  },
})

export const withdrawUpgrade = defineOperatorAction<{ id: string }>({
  kind: 'withdraw_upgrade',
  role: 'support',
  persons: 1,
  payload: z.strictObject({ id: z.string() }),
  preload: ({ id }) => [{ table: plannedUpgrades, id }],
  decide(draft, { now }, { id }) {
    const row = draft.row(plannedUpgrades, id)
    if (!row || row.withdrawn_at) return { isDone: false, text: `unknown_upgrade: no upgrade ${id} is announced` }
    draft.add({ rows: [write(plannedUpgrades, { ...row, withdrawn_at: now })] })
    return { isDone: true, text: `The upgrade ${id} is withdrawn.` }
  },
})

/** Reads the upgrades that have not ended, the earliest first. */
export function readUpgrades(db: Queryable, now: Date, limit: number): Promise<UpgradeRow[]> {
  return db.query<UpgradeRow>(
    `select ${plannedUpgrades.columns} from planned_upgrades
     where withdrawn_at is null and ends_at > $1 order by starts_at, id limit $2`,
    [now, limit],
  )
}
