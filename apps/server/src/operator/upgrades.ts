import type { Database } from '@clearwell/ledger/database'
import {
  announceUpgrade,
  plannedUpgrades,
  type UpgradeRow,
  withdrawUpgrade,
} from '../platform/upgrades/planned-upgrades.ts'
import { type Arguments, failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { withDatabase } from './open-books.ts'
import { requestAction } from './request-action.ts'

/** The number of upgrades that are listed. */
const LATEST = 50

export const upgrades: OperatorCommand = {
  about: 'lists planned upgrades; announces one, which every user sees in the banner, or withdraws it',
  words:
    '[announce --from <time> --until <time> --en <text> --zh <text> | withdraw <id>] [--reason <text>] [--execute]',
  options: ['reason', 'execute', 'from', 'until', 'en', 'zh'],
  async run(args) {
    const [verb, id, ...rest] = args.words
    if (verb === undefined) return withDatabase((db) => list(db, args.json))
    const { reason } = args
    if (rest.length > 0 || !reason || !isPrintable(reason)) return undefined
    if (verb === 'announce' && id === undefined) return announce({ ...args, reason })
    if (verb !== 'withdraw' || id === undefined) return undefined
    return withDatabase((db, site) =>
      requestAction(site, db, { action: withdrawUpgrade, payload: { id }, args: { ...args, reason } }),
    )
  },
}

async function announce(args: Arguments & { readonly reason: string }): Promise<Outcome | undefined> {
  const { from, until, en, zh } = args
  if (from === undefined || until === undefined || !en || !zh) return undefined
  const [start, end] = [new Date(from), new Date(until)]
  if (Number.isNaN(start.getTime()) || Number.isNaN(end.getTime()))
    return failure('--from and --until must be times such as 2026-12-01T00:00:00Z.')
  const payload = { from: start.toISOString(), until: end.toISOString(), en, 'zh-HK': zh }
  return withDatabase((db, site) => requestAction(site, db, { action: announceUpgrade, payload, args }))
}

async function list(db: Database, json: boolean): Promise<Outcome> {
  const rows = await db.query<UpgradeRow>(
    `select ${plannedUpgrades.columns} from planned_upgrades order by starts_at desc, id desc limit $1`,
    [LATEST],
  )
  const lines = rows.map((row) => {
    const times = `${row.starts_at.toISOString()} to ${row.ends_at.toISOString()}`
    return `${row.id}  ${times}${row.withdrawn_at ? '  withdrawn' : ''}\n  ${row.text_en}\n  ${row.text_zh_hk}`
  })
  const text = json ? JSON.stringify({ upgrades: rows }, null, 2) : lines.join('\n')
  return { text: text || 'No upgrade was ever announced.', faults: [], exitCode: 0 }
}
