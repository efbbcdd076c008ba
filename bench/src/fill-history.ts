import type { Database } from '@clearwell/ledger/database'
import { poolTag } from '@clearwell/server/src/features/swap/order-id.ts'

/** Two accounts with long histories. In each, the rows that a filter looks for are the oldest ones. */
export interface LongHistories {
  /** Nearly all entries are swaps of the pool `bnb-usdt`. */
  readonly trader: string
  /** Nearly all entries are of other kinds. */
  readonly holder: string
  /** Entries of each. */
  readonly entries: number
}

/** Entries of the rare kind, beneath all others. */
const RARE = 30
/** More than that a user never has: the job of the notices deletes the oldest. */
const NOTICES = 500
const CANDLES = 525_600
const PER_STATEMENT = 50_000
const [FREQUENT_POOL, RARE_POOL] = ['bnb-usdt', 'eth-usdt']

/**
 * Fills the database of a server that is stopped, by SQL. A shortcut: the entries have no valid hash chain and do not change
 * the stored balances, so only reads are measured, and no audit. The database's own rules hold.
 */
export async function fillHistory(db: Database, { trader, holder, entries }: LongHistories): Promise<void> {
  await db.query(
    `insert into users (id, invite_code, parent_id, nickname, created_at)
     select id, 'BENCH00' || place, null, '', now() from unnest($1::text[]) with ordinality as added (id, place)`,
    [[trader, holder]],
  )
  await addEntries(db, { account: trader, entries, rareKind: 'deposit', kind: 'swap' })
  await addEntries(db, { account: holder, entries, rareKind: 'swap', kind: 'deposit' })
  await inSteps(entries, (from, to) => addOrders(db, { trader, holder, entries, from, to }))
  await db.query(
    `insert into notices (id, user_id, kind, key, params, link, created_at, read_at)
     select number, $1, 'price_alert', number::text,
       '{"symbol":"BNBUSDT","direction":"above","price":"700","price_seen":"701"}', null, now(), null
     from generate_series(1, ${NOTICES}) as number`,
    [trader],
  )
  await db.query(`update last_notice set notice = ${NOTICES}`)
  await inSteps(CANDLES, (from, to) =>
    db.query(
      `insert into swap_candles
       select '${FREQUENT_POOL}:1m:' || number, '${FREQUENT_POOL}', '1m',
         date_trunc('minute', now()) - number * interval '1 minute', 1, 1, 1, 1, 1, 1, 1
       from generate_series($1::integer, $2::integer) as number`,
      [from, to],
    ),
  )
  await db.script('vacuum analyze')
}

async function inSteps(count: number, add: (from: number, to: number) => Promise<unknown>): Promise<void> {
  for (let from = 1; from <= count; from += PER_STATEMENT) await add(from, Math.min(count, from + PER_STATEMENT - 1))
}

/** Entries after the last one, a microsecond apart: the first are of the rare kind. Each moves BNB and USDT against a pool. */
async function addEntries(
  db: Database,
  options: { account: string; entries: number; rareKind: string; kind: string },
): Promise<void> {
  const { account, entries, rareKind, kind } = options
  const available = `user:${account}:available`
  await inSteps(entries, (from, to) =>
    db.query(
      `insert into entries (seq, kind, at, reference, hash, accounts, assets, amounts, balances_after)
       select last.seq + number, case when $5::integer + number <= ${RARE} then $2 else $3 end, last.at + interval '1 microsecond' * number,
         md5(number::text), sha256(number::text::bytea),
         array[$4, $4, 'pool:bench', 'pool:bench'], array['BNB', 'USDT', 'BNB', 'USDT'],
         array[-10000000000000000, 6200000000000000000, 10000000000000000, -6200000000000000000]::numeric[],
         array[5000000000000000000, 9000000000000000000000, 5000000000000000000, 9000000000000000000000]::numeric[]
       from generate_series(1, $1::integer) as number,
         (select seq, at from entries order by seq desc limit 1) last`,
      [to - from + 1, rareKind, kind, available, from - 1],
    ),
  )
}

/** Swaps, payments and alerts: as many of each as there are entries. */
async function addOrders(
  db: Database,
  { trader, holder, entries, from, to }: LongHistories & { from: number; to: number },
): Promise<void> {
  const at = `now() - (${entries} + 1 - number) * interval '20 seconds'`
  const numbers = `generate_series(${from}, ${to}) as number`
  await db.query(
    `insert into swap_orders (id, user_id, pool_id, inverse, amount_in, amount_out, fee, created_at)
     select case when number <= ${RARE} then '${poolTag(RARE_POOL)}' else '${poolTag(FREQUENT_POOL)}' end
         || lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || substr(md5(number::text), 1, 20),
       $1, case when number <= ${RARE} then '${RARE_POOL}' else '${FREQUENT_POOL}' end, number % 2 = 0,
       10000000000000000, 6000000000000000000, 25000000000000, ${at} from ${numbers}`,
    [trader],
  )
  await db.query(
    `insert into deposit_orders (id, user_id, purpose, asset, amount, credited, tx_hash, created_at, expires_at)
     select '0x' || md5(number::text) || md5(number::text), $1,
       case when number <= ${RARE} then 'transfer_in' else 'activation' end, 'USDT', 1, 1, '0x', ${at}, ${at} from ${numbers}`,
    [holder],
  )
  await db.query(
    `insert into deposits (id, user_id, asset, units, tx_hash, block_number, order_id, credited_at)
     select '31337:' || md5(number::text) || ':0', $1, 'USDT', 1, md5(number::text), number, null, ${at} from ${numbers}`,
    [holder],
  )
  await db.query(
    `insert into withdrawal_orders
       (id, user_id, asset, amount, nonce, deadline, status, signature, tx_hash, created_at, completed_at)
     select md5(number::text), $1, 'USDT', 1, number, ${at}, 'completed', '0x', '0x', ${at}, ${at} from ${numbers}`,
    [holder],
  )
  await db.query(
    `insert into alerts (id, user_id, symbol, direction, price_e18, status, created_at, delivered_at, seen_e18)
     select md5(number::text), $1, case when number <= ${RARE} then 'ETHUSDT' else 'BNBUSDT' end, 'above', number,
       case when number <= ${RARE} then 'delivered' else 'cancelled' end, ${at},
       case when number <= ${RARE} then ${at} end, case when number <= ${RARE} then 1 end from ${numbers}`,
    [trader],
  )
}
