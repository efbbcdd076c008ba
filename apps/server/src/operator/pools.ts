import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { previewCommand } from '@clearwell/ledger/preview'
import { findOutcome } from '@clearwell/ledger/reads'
import type { RowOf } from '@clearwell/ledger/table'
import { executePoolRequest, type PoolChangeResponse, type PoolRequest } from '../features/swap/change-pool.ts'
import type { swapPools } from '../features/swap/swap.tables.ts'
import type { Config } from '../load-config.ts'
import { type Arguments, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { executeRequest } from './execute-request.ts'
import { withDatabase, withLedger } from './open-books.ts'
import { movePoolLiquidity, openConfiguredPool } from './pool-money.ts'
import { failure } from './request-action.ts'

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
    return withLedger((config, db) => change(config, db, { kind, id, detail: reason, json, execute }))
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

async function change(
  config: Config,
  db: Database,
  input: { kind: PoolRequest['kind']; id: string; detail: string } & Pick<Arguments, 'json' | 'execute'>,
): Promise<Outcome> {
  const { kind, id, detail, json, execute } = input
  const draft = { id: randomUUID(), pool_id: id, kind, detail }
  const command = executePoolRequest({ ...draft, asked_at: new Date() })
  const preview = await previewCommand(db, command, { now: new Date(), id: () => randomUUID() })
  if (preview.result.outcome === 'unknown_pool') return failure(`There is no pool ${JSON.stringify(id)}.`)
  const textOf = ({ outcome }: PoolChangeResponse) =>
    outcome === 'changed' ? `${id} is ${kind}.` : `${id} was already ${kind}: nothing changed.`
  if (!execute) {
    const text = json
      ? JSON.stringify({ executed: false, pool: id, kind, ...preview.result }, null, 2)
      : `Dry run, nothing was changed. With --execute:\n${textOf(preview.result)}`
    return { text, faults: [], exitCode: 0 }
  }
  const request = await storeRequest(db, draft)
  const result = await executeRequest<PoolChangeResponse>(config, db, {
    findOutcome: () => findResult(db, request.id),
    execute: (writer) => writer.execute(executePoolRequest(request)),
  })
  if (!result) return failure(`No server has processed the request yet. The next leader will apply it: ${id} ${kind}.`)
  const text = json ? JSON.stringify({ executed: true, pool: id, kind, ...result }, null, 2) : textOf(result)
  return { text, faults: [], exitCode: 0 }
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
