import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatTable } from '../../scripts/format-table.ts'
import type { Bench } from './bench.ts'
import { Connection } from './connection.ts'
import { machine } from './machine.ts'
import { percentile } from './price-age.ts'
import { startServerProcess } from './server-process.ts'
import { isDone, priceLimits, swapRequest } from './swap-request.ts'
import { type BenchUser, makeUsers } from './users.ts'
import { wholeNumber } from './whole-number.ts'

/** Each has few open transfers, so lists stay short. */
const USERS = 10
/** How finely a waiting transfer is looked at. */
const EVERY_MS = 20
/** The pause after a voucher, at most: a transfer then begins at any moment between two headers. */
const PAUSE_MS = 2_000
const AMOUNT = '0.01'
const PATIENCE_MS = 60_000
const LIMIT_MS = 3_000

export default {
  about:
    'time of a withdrawal from its confirmation to its voucher, with a bookkeeper, beside the plain vault (--withdrawals 100, --swaps 5 a second)',
  run: benchVouchers,
} satisfies Bench

/** The vault with exits and the plain one, in turn, each with the same light load of swaps. */
async function benchVouchers(args: string[]): Promise<void> {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
  const { values } = parseArgs({ args, options: { withdrawals: text('100'), swaps: text('5') } })
  const count = wholeNumber('--withdrawals', values.withdrawals)
  const swaps = wholeNumber('--swaps', values.swaps)
  console.log(`${machine()} Client, server, bookkeeper and database share the machine.`)
  const plain = await measure({ kind: 'plain', count, swaps })
  const exits = await measure({ kind: 'exits', count, swaps })
  const row = (what: string, times: readonly number[]) => [
    what,
    ...[0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(0)),
  ]
  const head = [`${count} withdrawals, ms`, 'p50', 'p99', 'slowest']
  console.log(`\n${formatTable([head, row('plain vault', plain), row('vault with exits', exits)])}`)
  const p99 = percentile(exits, 0.99)
  console.log(`\np99 of the vault with exits: ${p99 <= LIMIT_MS ? 'within' : 'beyond'} ${LIMIT_MS} ms`)
}

async function measure(of: { readonly kind: 'plain' | 'exits'; readonly count: number; readonly swaps: number }) {
  const { kind, count, swaps } = of
  console.log(`… ${kind}`)
  const server = await startServerProcess({ VAULT_KIND: kind, LOCAL_BOOKKEEPER: 'on' })
  const [trader, ...users] = await makeUsers(server.url, USERS + 1)
  if (!trader) throw new Error('no users')
  const ending = new AbortController()
  const trading = tradeUntil(ending.signal, { url: server.url, token: trader.token, swaps })
  // The first ones wait for the bookkeeper's start.
  await timeVoucher(server.url, users[0] as BenchUser)
  const times: number[] = []
  for (let turn = 0; turn < count; turn++) {
    await sleep(Math.random() * PAUSE_MS)
    times.push(await timeVoucher(server.url, users[turn % users.length] as BenchUser))
  }
  ending.abort()
  const made = await trading
  console.log(`  ${made} swaps beside them`)
  await server.stop()
  return times
}

/** Confirms a withdrawal, as the app does with its button. @returns the milliseconds until the user has the voucher */
async function timeVoucher(url: string, { token }: BenchUser): Promise<number> {
  const connection = await Connection.open(new URL(url))
  const post = async (path: string, body: string) =>
    JSON.parse(await connection.send(requestOf({ token, path, body }))) as { code: number; data: never }
  try {
    const begunMs = performance.now()
    const { code, data } = await post('/Wallet/sell', `asset=BNB&amount=${AMOUNT}`)
    if (code !== 1) throw new Error(`sell answered ${code}`)
    let order: { readonly order_id: string; readonly signed: boolean } = data
    while (!order.signed) {
      if (performance.now() - begunMs > PATIENCE_MS) throw new Error('no voucher within a minute')
      await sleep(EVERY_MS)
      const { items } = (await post('/Wallet/sellOrders', 'limit=20')).data as { items: (typeof order)[] }
      order = items.find(({ order_id }) => order_id === order.order_id) ?? order
    }
    return performance.now() - begunMs
  } finally {
    connection.close()
  }
}

function requestOf({ token, path, body }: { token: string; path: string; body: string }): string {
  return [
    `POST /api${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    'XX-Device-Type: web',
    `XX-Token: ${token}`,
    `Idempotency-Key: ${randomUUID()}`,
    '',
    body,
  ].join('\r\n')
}

/** Swaps at a steady rate. @returns how many were made */
async function tradeUntil(
  signal: AbortSignal,
  { url, token, swaps }: { readonly url: string; readonly token: string; readonly swaps: number },
): Promise<number> {
  if (swaps === 0) return 0
  const limits = await priceLimits(url)
  const connection = await Connection.open(new URL(url))
  let made = 0
  while (!signal.aborted) {
    const side = made % 2
    const response = await connection.send(swapRequest({ token, key: randomUUID(), side, limit: limits[side] ?? '0' }))
    if (!isDone(response)) throw new Error(`refused: ${response}`)
    made++
    await sleep(1_000 / swaps)
  }
  connection.close()
  return made
}
