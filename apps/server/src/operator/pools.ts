import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { findOutcome } from '@clearwell/ledger/reads'
import { executePoolRequest, type PoolChangeResponse, type PoolRequest } from '../features/swap/change-pool.ts'
import type { Config } from '../load-config.ts'
import { isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { executeRequest } from './execute-request.ts'
import { withLedger } from './open-books.ts'
import { movePoolLiquidity, openConfiguredPool } from './pool-money.ts'

/** The number of changes that are listed. */
const LATEST = 50

interface PoolRow {
  id: string
  opened_at: Date
  suspended_at: Date | null
  suspended_reason: string | null
  suspended_by: string | null
  is_watched: boolean
}

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
    '[suspend <id> <reason…> | resume <id> [reason…] | open <id> --reason <text> [--execute] | add-liquidity | remove-liquidity <id> <base amount> --reason <text> [--execute]]',
  options: ['reason', 'execute'],
  async run(args) {
    const { json, words } = args
    const [verb, id, ...reason] = words
    if (verb === 'open') return openConfiguredPool(args)
    if (verb === 'add-liquidity' || verb === 'remove-liquidity') return movePoolLiquidity(args)
    if (args.reason !== undefined || args.execute) return undefined
    if (verb === undefined) return withLedger((_config, db) => list(db, json))
    const kind = verb === 'suspend' ? 'suspended' : verb === 'resume' ? 'resumed' : undefined
    const detail = reason.join(' ').trim()
    if (!kind || !id || (kind === 'suspended' && detail === '') || !isPrintable(detail)) return undefined
    return withLedger((config, db) => change(config, db, { kind, id, detail: detail || 'by the operator', json }))
  },
}

async function list(db: Database, json: boolean): Promise<Outcome> {
  const rows = await db.query<PoolRow>(
    'select id, opened_at, suspended_at, suspended_reason, suspended_by, is_watched from swap_pools order by id',
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

function stateOf({ id, suspended_at, suspended_reason, suspended_by, is_watched }: PoolRow): string {
  if (suspended_at)
    return `${id}  suspended by the ${suspended_by ?? 'operator'} since ${suspended_at.toISOString()} (${suspended_reason})`
  return is_watched ? `${id}  trades` : `${id}  trades, resumed by the operator: not watched until its price settles`
}

function historyOf(events: readonly EventRow[]): string[] {
  if (events.length === 0) return ['No pool has ever been suspended.']
  return events.map(
    ({ at, pool, kind, by, detail }) => `${at.toISOString()}  ${pool}  ${kind.padEnd(9)}  ${by}: ${detail}`,
  )
}

async function change(
  config: Config,
  db: Database,
  { kind, id, detail, json }: { kind: PoolRequest['kind']; id: string; detail: string; json: boolean },
): Promise<Outcome> {
  const [pool] = await db.query('select 1 from swap_pools where id = $1', [id])
  if (!pool) return { text: '', faults: [`There is no pool ${JSON.stringify(id)}.`], exitCode: 1 }
  const request = await storeRequest(db, { id: randomUUID(), pool_id: id, kind, detail })
  const result = await executeRequest<PoolChangeResponse>(config, db, {
    findOutcome: () => findResult(db, request.id),
    execute: (writer) => writer.execute(executePoolRequest(request)),
  })
  if (!result) {
    return {
      text: '',
      faults: [`No server has processed the request yet. The next leader will apply it: ${id} ${kind}.`],
      exitCode: 1,
    }
  }
  const text = result.outcome === 'changed' ? `${id} is ${kind}.` : `${id} was already ${kind}: nothing changed.`
  return { text: json ? JSON.stringify({ pool: id, kind, ...result }, null, 2) : text, faults: [], exitCode: 0 }
}

async function storeRequest(db: Database, request: Omit<PoolRequest, 'asked_at'>): Promise<PoolRequest> {
  const [row] = await db.query<{ asked_at: Date }>(
    `insert into pool_requests (id, pool_id, kind, detail, asked_at) values ($1, $2, $3, $4, clock_timestamp())
     returning asked_at`,
    [request.id, request.pool_id, request.kind, request.detail],
  )
  if (!row) throw new Error('the request was not stored')
  return { ...request, asked_at: row.asked_at }
}

async function findResult(db: Database, key: string): Promise<PoolChangeResponse | undefined> {
  const outcome = await findOutcome<PoolChangeResponse>(db, { owner: 'operator', key })
  return outcome && 'ok' in outcome ? outcome.ok : undefined
}
