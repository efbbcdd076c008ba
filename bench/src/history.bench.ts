import { parseArgs } from 'node:util'
import { CODES } from '@clearwell/api/codes'
import { ENTRY_KINDS } from '@clearwell/api/parts'
import { type RouteName, routes } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { tradeCursorOf } from '@clearwell/server/src/features/swap/order-id.ts'
import { encodeCursor } from '@clearwell/server/src/platform/http/paging.ts'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { formatTable } from '../../scripts/format-table.ts'
import { HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import type { Bench } from './bench.ts'
import { endLater } from './clean-up.ts'
import { Connection } from './connection.ts'
import { fillHistory } from './fill-history.ts'
import { figureOf, type LoadFigure, loadFor } from './load.ts'
import { machine } from './machine.ts'
import { startServerProcess } from './server-process.ts'
import { call } from './users.ts'
import { wholeNumber } from './whole-number.ts'

const CLIENTS = 4
const LIMIT_P99_MS = 100
const FILL_MS = 600_000
const PAGE = 100

interface Case {
  readonly route: RouteName
  readonly what: string
  readonly user: 'trader' | 'holder'
  readonly payload: Readonly<Record<string, string | number>>
}

export default {
  about:
    'the worst queries of every list call on accounts with a million entries, beside the same rows by primary key (--entries 1000000, --seconds 3)',
  run: benchHistory,
} satisfies Bench

/**
 * The worst queries that each list call accepts, on accounts with a million entries: rare filters, filters without a match,
 * and cursors in the middle of the history. The peer reads as many rows by primary key with plain `pg`.
 */
async function benchHistory(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { entries: { type: 'string', default: '1000000' }, seconds: { type: 'string', default: '3' } },
  })
  const entries = wholeNumber('--entries', values.entries)
  const seconds = wholeNumber('--seconds', values.seconds)
  console.log(`${machine()} Client, server and database share the machine.`)
  const postgres = await startPostgres({
    fsync: true,
    settings: { max_wal_size: '8GB', shared_buffers: '512MB' },
  }).catch(() => {
    throw new Error(`PostgreSQL is needed. ${HOW_TO_GET_POSTGRES}`)
  })
  endLater(postgres.stop)
  const [trader, holder] = [0, 1].map(() => privateKeyToAccount(generatePrivateKey())) as [
    PrivateKeyAccount,
    PrivateKeyAccount,
  ]
  const db = await openPostgresDatabase(postgres.url, { maxConnections: CLIENTS, maxQueryMs: FILL_MS })
  endLater(() => db.close())
  // The first start migrates the database and puts the contracts on its chain.
  const first = await startServerProcess({ DATABASE_URL: postgres.url })
  await first.stop()
  console.log(`… filling two accounts with ${entries} entries each`)
  await fillHistory(db, { trader: trader.address.toLowerCase(), holder: holder.address.toLowerCase(), entries })

  const server = await startServerProcess({ DATABASE_URL: postgres.url, DATA_DIR: first.dataDir })
  const tokens = { trader: await signIn(server.url, trader), holder: await signIn(server.url, holder) }
  const send = ({ route, payload, user }: Case) => sendOnce(server.url, requestOf(route, payload, tokens[user]))
  const cases = await withFirstPages(worstCases(await cursorsOf(db)), send)
  const figures = [await peer(db, { entries, seconds })]
  for (const { route, what, user, payload } of cases) {
    console.log(`… ${route}, ${what}`)
    const request = () => requestOf(route, payload, tokens[user])
    const load = await loadFor(seconds, server.url, { clients: CLIENTS, request, isRight: isDone })
    figures.push(figureOf(`${route}, ${what}`, CLIENTS, load))
  }
  await server.stop()
  printTable(figures)
}

/** Cursors in the middle of each list. */
interface Cursors {
  readonly posting: string
  readonly order: string
  readonly trade: string
  readonly wallet: string
  readonly transaction: string
  readonly alert: string
}

function worstCases(cursors: Cursors): readonly Case[] {
  const page = { limit: PAGE }
  const everyKind = Object.fromEntries(
    ENTRY_KINDS.filter((kind) => kind !== 'swap').map((kind, index) => [`kinds[${index}]`, kind]),
  )
  const of = (route: RouteName, user: Case['user'], payloads: Readonly<Record<string, Case['payload']>>) =>
    Object.entries(payloads).map(([what, payload]) => ({ route, user, what, payload: { ...page, ...payload } }))
  return [
    ...of('logs', 'trader', {
      'first page': {},
      'in the middle': { cursor: cursors.posting },
      'oldest kind': { kind: 'deposit' },
      'no such kind': { kind: 'referral_share' },
      'no such asset and kind': { asset: 'RT', kind: 'activation' },
      'all kinds but swaps': everyKind,
      'an amount of every entry': { search: '6.2' },
      'words of rare kinds': { 'kinds[0]': 'deposit', 'kinds[1]': 'withdrawal' },
      'no such amount': { search: '123.456' },
      'no such hash': { search: '0x123456' },
    }),
    ...of('logs', 'holder', {
      'swaps beneath other kinds': { kind: 'swap' },
      'one asset': { asset: 'BNB' },
      'no such amount': { search: '123.456' },
      'no such hash': { search: '0x123456' },
    }),
    ...of('orders', 'trader', {
      'first page': {},
      'in the middle': { cursor: cursors.order },
      'oldest pool': { pool_id: 'eth-usdt' },
      'no such pool': { pool_id: 'rt-usdt' },
    }),
    ...of('swapTrades', 'trader', {
      'in the middle': { pool_id: 'bnb-usdt', cursor: cursors.trade },
      'a quiet pool': { pool_id: 'rt-usdt' },
    }),
    ...of('swapKline', 'trader', {
      'a window long ago': { pool_id: 'bnb-usdt', interval: '1m', to: '2026-03-01', limit: 1000 },
      'a window before all trades': { pool_id: 'bnb-usdt', interval: '1m', from: '2001-01-01', to: '2001-01-02' },
    }),
    ...of('spotKline', 'trader', { 'a thousand candles': { symbol: 'BNBUSDT', interval: '1m', limit: 1000 } }),
    ...of('buyOrders', 'holder', { 'oldest purpose': {}, 'in the middle': { cursor: cursors.wallet } }),
    ...of('sellOrders', 'holder', { 'first page': {}, 'in the middle': { cursor: cursors.wallet } }),
    ...of('transactions', 'holder', { 'first page': {}, 'in the middle': { cursor: cursors.transaction } }),
    ...of('alerts', 'trader', {
      'in the middle': { cursor: cursors.alert },
      'oldest market': { symbol: 'ETHUSDT' },
      'oldest status': { status: 'delivered' },
      'no such status of a market': { symbol: 'ETHUSDT', status: 'cancelled' },
    }),
    ...of('stakeOrders', 'trader', { 'no loans': {} }),
    ...of('liquidations', 'trader', { 'nothing to be cleared': {}, 'none by profit': { sort: 'profit' } }),
    ...of('teamMembers', 'trader', { 'no leads': {}, 'no such address': { search: '000' } }),
    ...of('referralShares', 'trader', { none: {} }),
    ...of('rankList', 'trader', { 'volume of all time': { board: 'volume', period: 'all' } }),
    ...of('notices', 'trader', { 'all unread': {} }),
    ...of('alertNotices', 'trader', { 'all unread': {} }),
  ]
}

/**
 * Every call of the route table that takes a `limit` is a list. One without a case above is measured by its first page, so that
 * a new feature is measured too; one that needs more than a page is only named, and so is one whose subject this server does
 * not have, such as a canary.
 */
async function withFirstPages(cases: readonly Case[], send: (each: Case) => Promise<string>): Promise<readonly Case[]> {
  const lists = Object.entries(routes).filter(([, { payload }]) => 'limit' in payload.shape)
  const all = [...cases]
  for (const [name, route] of lists) {
    if (cases.some((each) => each.route === name)) continue
    const payload = { limit: PAGE }
    const { issues } = await route.payload['~standard'].validate(payload)
    const first: Case = { route: name as RouteName, what: 'first page', user: 'trader', payload }
    if (issues) console.log(`… ${name}: not measured, because it needs more than a page`)
    else if (isMissing(await send(first))) console.log(`… ${name}: not measured, because this server has none`)
    else all.push(first)
  }
  return all
}

async function cursorsOf(db: Database): Promise<Cursors> {
  const middle = async (table: string, at = 'created_at') => {
    const [row] = await db.query<{ id: string; at: Date }>(
      `select id, ${at} as at from ${table} order by ${at} offset (select count(*) / 2 from ${table}) limit 1`,
    )
    if (!row) throw new Error(`${table} is empty`)
    return row
  }
  const [seq] = await db.query<{ seq: bigint }>('select max(seq) / 4 as seq from entries')
  const order = await middle('swap_orders')
  const deposit = await middle('deposits', 'credited_at')
  return {
    posting: `${seq?.seq}-1`,
    order: encodeCursor(order),
    trade: tradeCursorOf(order.id),
    wallet: encodeCursor(await middle('withdrawal_orders')),
    transaction: encodeCursor({ at: deposit.at, id: deposit.id.replaceAll(':', '_') }),
    alert: encodeCursor(await middle('alerts')),
  }
}

/** As many rows of the same history by primary key, without HTTP, session and JSON: the least that a page could cost. */
async function peer(db: Database, { entries, seconds }: { entries: number; seconds: number }): Promise<LoadFigure> {
  console.log('… peer')
  const latenciesMs: number[] = []
  const endMs = performance.now() + seconds * 1000
  const client = async () => {
    while (performance.now() < endMs) {
      const seqs = Array.from({ length: PAGE }, () => String(1 + Math.floor(Math.random() * entries)))
      const sentMs = performance.now()
      await db.query('select * from entries where seq = any($1::bigint[])', [seqs])
      latenciesMs.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return figureOf(`peer: ${PAGE} entries by primary key, plain pg`, CLIENTS, { acknowledged: 0, latenciesMs, seconds })
}

async function signIn(baseUrl: string, account: PrivateKeyAccount): Promise<string> {
  const { address } = account
  const { nonceStr } = await call(baseUrl, 'getNonce', { address })
  const signature = await account.signMessage({ message: nonceStr })
  return (await call(baseUrl, 'login', { address, signature, device_type: 'web' })).token
}

const isDone = (response: string) => response.startsWith('{"code":1,')
const isMissing = (response: string) => response.startsWith(`{"code":${CODES.not_found.code},`)

async function sendOnce(url: string, request: string): Promise<string> {
  const connection = await Connection.open(new URL(url))
  try {
    return await connection.send(request)
  } finally {
    connection.close()
  }
}

function requestOf(route: RouteName, payload: Case['payload'], token: string): string {
  const body = Object.entries(payload)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return [
    `POST /api${routes[route].path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    `XX-Token: ${token}`,
    'Accept-Language: en',
    '',
    body,
  ].join('\r\n')
}

function printTable([peer, ...figures]: readonly LoadFigure[]): void {
  if (!peer) return
  const row = ({ what, perSecond, p50Ms, p99Ms }: LoadFigure, ...rest: string[]) => [
    what,
    perSecond.toFixed(0),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    ...rest,
  ]
  const rows = figures.map((figure) =>
    row(figure, `${(figure.p99Ms / peer.p99Ms).toFixed(1)} ×`, figure.p99Ms < LIMIT_P99_MS ? 'within' : 'beyond'),
  )
  const head = ['', 'per second', 'p50 ms', 'p99 ms', 'of peer', `p99 < ${LIMIT_P99_MS} ms`]
  console.log(`\n${formatTable([head, row(peer, '', ''), ...rows])}`)
}
