import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import {
  type Acknowledged,
  type Command,
  type CommandLoad,
  type CommandLoadOptions,
  startCommandLoad,
} from '@clearwell/sim/src/drills/command-load.ts'
import { swapCommand } from '@clearwell/sim/src/drills/swap-load.ts'
import { createRequests } from '@clearwell/sim/src/proxy/steady-load.ts'

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString()

/** A server takes 60 alerts an hour from an account, and a long drill has more turns. */
const MAX_ALERTS = 50

/** A client's commands in turn: half of them swap, then a pledge, a price alert and a planned swap, each made and ended again. */
export function commandOf(client: number, turn: number, own: readonly Acknowledged[]): Command {
  const last = (kind: string) => own.findLast((each) => each.kind === kind)?.data
  const step = turn % 12
  if ((step === 3 || step === 9) && turn / 12 >= MAX_ALERTS) return swapCommand((client + turn) % 2)
  switch (step) {
    case 1:
      return { kind: 'pledge', path: '/api/Stake/pledge', payload: { asset: 'USDT', amount: '5' } }
    case 3: {
      const payload = { symbol: 'BNBUSDT', direction: 'above', price: String(1_000 + client + turn) }
      return { kind: 'set_alert', path: '/api/Alert/set', payload }
    }
    case 5: {
      const limit = { kind: 'limit', price: '1500', ends_at: TOMORROW }
      const payload = { pool_id: 'bnb-usdt', inverse: 0, amount: '0.1', ...limit }
      return { kind: 'create_plan', path: '/api/Plan/create', payload }
    }
    case 7:
      return { kind: 'cancel_plan', path: '/api/Plan/cancel', payload: { plan_id: last('create_plan')?.plan_id } }
    case 9:
      return { kind: 'cancel_alert', path: '/api/Alert/cancel', payload: { alert_id: last('set_alert')?.alert_id } }
    case 11:
      return { kind: 'unpledge', path: '/api/Stake/unpledge', payload: { asset: 'USDT', amount: 'all' } }
    default:
      return swapCommand((client + step / 2) % 2)
  }
}

/** A user has 2 BNB, so a long drill has more turns than transfers. */
const MAX_TRANSFERS = 100

/** As {@link commandOf}, with a transfer out in every fourth turn. */
export function commandWithTransfers(client: number, turn: number, own: readonly Acknowledged[]): Command {
  const made = own.filter(({ kind }) => kind === 'transfer_out').length
  if (turn % 4 !== 3 || made >= MAX_TRANSFERS) return commandOf(client, turn - Math.min(made, turn), own)
  return { kind: 'transfer_out', path: '/api/Wallet/sell', payload: { asset: 'BNB', amount: '0.01' } }
}

/** Clients of every machine, each a user. Eight of them send at most 200 commands a second. */
export function startFeatureLoad(
  urls: readonly string[],
  options: {
    readonly tokens: readonly string[]
    readonly certificate: string
    readonly commandOf?: CommandLoadOptions['commandOf']
  },
): CommandLoad & { close(): void } {
  const { tokens, certificate } = options
  const senders = new Map(urls.map((url) => [url, createRequests({ url, ca: certificate })]))
  const load = startCommandLoad({
    urls: () => urls,
    tokens,
    clients: tokens.length,
    commandOf: options.commandOf ?? commandOf,
    async send(url, { path, token, key, payload }, signal) {
      const sender = senders.get(url)
      if (!sender) throw new Error(`${url} is no machine`)
      const { body } = await sender.send('POST', path, { token, key, payload, signal })
      return JSON.parse(body)
    },
  })
  return Object.assign(load, {
    close() {
      for (const sender of senders.values()) sender.close()
    },
  })
}

/** Compares what was acknowledged with the ledger and the tables of the features. The books must balance. */
export async function compareFeatures(db: Database, acknowledged: readonly Acknowledged[]) {
  await expectBooksBalanced(db)
  const idsOf = (kind: string, field: string) =>
    acknowledged.filter((each) => each.kind === kind).map(({ data }) => String(data[field]))
  const rowsOf = async (sql: string) => (await db.query<{ id: string }>(sql)).map(({ id }) => id)
  const counts = [
    compareIds(idsOf('swap', 'transaction_id'), await rowsOf('select id from swap_orders')),
    compareIds(idsOf('set_alert', 'alert_id'), await rowsOf('select id from alerts')),
    compareIds(idsOf('transfer_out', 'order_id'), await rowsOf('select id from withdrawal_orders')),
    compareIds(idsOf('create_plan', 'plan_id'), await rowsOf('select id from plans')),
    compareIds(idsOf('cancel_alert', 'alert_id'), await rowsOf("select id from alerts where status = 'cancelled'")),
    compareIds(idsOf('cancel_plan', 'plan_id'), await rowsOf("select id from plans where status = 'cancelled'")),
  ]
  for (const kind of ['pledge', 'unpledge']) {
    const [made] = await db.query<{ count: bigint }>('select count(*) from entries where kind = $1', [kind])
    const known = acknowledged.filter((each) => each.kind === kind).length
    counts.push(compareCounts(known, Number(made?.count ?? 0)))
  }
  const sum = (field: 'lost' | 'doubled') => counts.reduce((total, each) => total + each[field], 0)
  return { acknowledged: acknowledged.length, lost: sum('lost'), doubled: sum('doubled') }
}

/** Lost: acknowledged but not made. Doubled: made, although no response names it, or named by two responses. */
export function compareIds(acknowledged: readonly string[], made: readonly string[]) {
  const [known, there] = [new Set(acknowledged), new Set(made)]
  return {
    lost: [...known].filter((id) => !there.has(id)).length,
    doubled: [...there].filter((id) => !known.has(id)).length + acknowledged.length - known.size,
  }
}

/** For commands whose responses have no id. */
export function compareCounts(acknowledged: number, made: number) {
  return { lost: Math.max(0, acknowledged - made), doubled: Math.max(0, made - acknowledged) }
}
