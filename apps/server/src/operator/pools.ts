import type { Database } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { changePoolByOperator } from '../features/swap/change-pool.ts'
import type { swapPools } from '../features/swap/swap.tables.ts'
import { isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { withDatabase } from './open-books.ts'
import { movePoolLiquidity, openConfiguredPool } from './pool-money.ts'
import { requestAction } from './request-action.ts'

/** The number of changes that are listed. */
const LATEST = 50

type PoolRow = Omit<RowOf<typeof swapPools>, 'base' | 'quote' | 'is_watched'>

interface EventRow {
  pool: string
  kind: string
  by: string
  detail: string
  at: Date
}

export const pools: OperatorCommand = {
  about: 'shows which pools trade, with the latest changes; suspends, resumes, opens and funds a pool',
  words:
    '[suspend | resume <id> --reason <text> [--execute] | open <id> --reason <text> [--execute] | add-liquidity | remove-liquidity <id> <base amount> --reason <text> [--execute]]',
  options: ['reason', 'execute'],
  async run(args) {
    const { json, words, reason, execute } = args
    const [verb, id, ...rest] = words
    if (verb === 'open') return openConfiguredPool(args)
    if (verb === 'add-liquidity' || verb === 'remove-liquidity') return movePoolLiquidity(args)
    if (verb === undefined) return reason === undefined && !execute ? withDatabase((db) => list(db, json)) : undefined
    const kind = verb === 'suspend' ? 'suspended' : verb === 'resume' ? 'resumed' : undefined
    if (!kind || !id || rest.length > 0 || !reason || !isPrintable(reason)) return undefined
    const payload = { pool: id, kind, detail: reason } as const
    return withDatabase((db, site) =>
      requestAction(site, db, { action: changePoolByOperator, payload, args: { json, execute, reason } }),
    )
  },
}

async function list(db: Database, json: boolean): Promise<Outcome> {
  const rows = await db.query<PoolRow>(
    'select id, opened_at, suspended_at, suspended_reason, suspended_by from swap_pools order by id',
  )
  const events = await db.query<EventRow>(
    'select pool_id as pool, kind, changed_by as by, detail, at from pool_events order by at desc, id desc limit $1',
    [LATEST],
  )
  const text = json
    ? JSON.stringify({ pools: rows, events }, null, 2)
    : [...(rows.length > 0 ? rows.map(stateOf) : ['No pool is open yet.']), '', ...historyOf(events)].join('\n')
  return { text, faults: [], exitCode: 0 }
}

function stateOf({ id, suspended_at, suspended_reason, suspended_by }: PoolRow): string {
  if (suspended_at)
    return `${id}  suspended by the ${suspended_by ?? 'operator'} since ${suspended_at.toISOString()} (${suspended_reason})`
  return `${id}  trades`
}

function historyOf(events: readonly EventRow[]): string[] {
  if (events.length === 0) return ['No pool has ever been suspended.']
  return events.map(
    ({ at, pool, kind, by, detail }) => `${at.toISOString()}  ${pool}  ${kind.padEnd(9)}  ${by}: ${detail}`,
  )
}
