import type { Database } from '@clearwell/ledger/database'
import { poolTag } from '@clearwell/server/src/features/swap/order-id.ts'
import { poolAccount, REWARDS } from '@clearwell/server/src/platform/ledger/accounts.ts'

const POOL = 'bnb-usdt'
/** Traders beside those that the bench signs in. */
const TRADERS = 1_000
/** Of each so many pairs of swaps, one belongs to a trader that the bench signs in. */
const SIGNED_IN_EVERY = 25
const PER_STATEMENT = 100_000
/** In base units: what one swap of a pair sells and the other buys back, and the part that the pool pays to `rewards`. */
const [BNB, USDT, BNB_FEE, USDT_FEE] = ['1e16', '6.2e18', '1e10', '6.2e12']
/** Between two swaps: ten million of them fill a year. */
const STEP_MS = 3_146

/** The swaps that {@link fillSwaps} adds. */
export interface FilledSwaps {
  /** An even number. */
  readonly swaps: number
  /** The addresses of the users who are signed in. */
  readonly users: readonly string[]
  /** The end of the last one. */
  readonly until: Date
}

/**
 * Adds swaps to the database of a server that is stopped, in one statement for each hundred thousand, over the one connection of `db`. Every entry sums to zero, records the
 * true balances, and is copied by account as the writer does, and the stored balances are their sums. Only the hashes are not true:
 * the audit of a day does not read them. The triggers are off, because they would take most of the time.
 */
export async function fillSwaps(db: Database, { swaps, users, until }: FilledSwaps): Promise<void> {
  await db.query('set session_replication_role = replica')
  const firstAt = new Date(until.getTime() - swaps * STEP_MS)
  await moveBack(db, firstAt)
  await addTraders(db, users, firstAt)
  await db.script(BEFORE)
  for (let from = 1; from <= swaps; from += PER_STATEMENT) {
    await addSwaps(db, { from, to: Math.min(swaps, from + PER_STATEMENT - 1), firstAt })
    if (from % 1_000_000 === 1 && from > 1) console.log(`… ${from - 1} swaps are there`)
  }
  await addCandles(db, firstAt, until)
  await db.query(
    `update balances set units = units + case asset when 'BNB' then moved.bnb else moved.usdt end from (
       select $2 as account, ($1::bigint / 2) * ${BNB_FEE}::numeric as bnb, ($1::bigint / 2) * ${USDT_FEE}::numeric as usdt
       union all select $3, -($1::bigint / 2) * ${BNB_FEE}::numeric, -($1::bigint / 2) * ${USDT_FEE}::numeric
     ) moved where balances.account = moved.account and asset in ('BNB', 'USDT')`,
    [swaps, REWARDS, poolAccount(POOL)],
  )
  await db.script('drop table bench_traders, bench_before')
  await db.query('set session_replication_role = origin')
  await db.script('vacuum analyze')
  await db.script('checkpoint')
}

/** Entries never go back in time, so those that exist move to the time before the first swap. */
async function moveBack(db: Database, firstAt: Date): Promise<void> {
  await db.query(`update entries set at = at - (now() - $1::timestamptz)`, [firstAt])
}

/** Users who get their money from the pool, at its price, as one entry for each. */
async function addTraders(db: Database, users: readonly string[], at: Date): Promise<void> {
  await db.query(
    `insert into users (id, invite_code, nickname, created_at)
     select '0x' || lpad(to_hex(n), 40, '0'), 'bench' || n, '', $1 from generate_series(1, ${TRADERS}) n`,
    [at],
  )
  await db.query(`insert into members (id, activated_at) select id, $1 from users where invite_code like 'bench%'`, [
    at,
  ])
  await db.script(PLACES)
  await db.query(
    `insert into entries (seq, kind, at, reference, hash, accounts, assets, amounts, balances_after)
     select last.seq + n, 'transfer', $1, 'bench', sha256(n::text::bytea), array[trader, trader, $2, $2],
       array['BNB', 'USDT', 'BNB', 'USDT'], array[${BNB}, ${USDT}, -${BNB}, -${USDT}]::numeric[],
       array[${BNB}, ${USDT}, bnb.units - n * ${BNB}::numeric, usdt.units - n * ${USDT}::numeric]::numeric[]
     from generate_series(1, ${TRADERS}) n cross join lateral (select 'user:0x' || lpad(to_hex(n), 40, '0') || ':available') t (trader),
       (select max(seq) as seq from entries) last,
       (select units from balances where account = $2 and asset = 'BNB') bnb,
       (select units from balances where account = $2 and asset = 'USDT') usdt`,
    [at, poolAccount(POOL)],
  )
  await db.script(`
    insert into owner_postings select * from postings where entry_seq > coalesce((select max(entry_seq) from owner_postings), 0)
      and account like 'user:%';
    insert into balances select account, asset, units from postings where account like 'user:0x00000000000000000000000000000000%';
    update balances set units = units - ${TRADERS} * case asset when 'BNB' then ${BNB}::numeric else ${USDT}::numeric end
      where account = '${poolAccount(POOL)}';
    create table bench_traders (n integer primary key, id text, account text, bnb numeric, usdt numeric)`)
  await db.query(
    `insert into bench_traders
     select case when real is null then substr(invite_code, 6)::integer else -real end, id, 'user:' || id || ':available',
       (select units from balances where account = 'user:' || id || ':available' and asset = 'BNB'),
       (select units from balances where account = 'user:' || id || ':available' and asset = 'USDT')
     from users left join unnest($1::text[]) with ordinality as signed (id, real) using (id)
     where real is not null or invite_code like 'bench%'`,
    [users],
  )
}

/** Places in the trees of balances, as the writer gives them to each new account. */
const PLACES = `
  insert into proof_accounts (id, place, salt, change)
  select id, place, '0x' || encode(sha256(id::bytea), 'hex'), coalesce((select last from proof_changes where id = 'last'), 0) + n
  from (select id, row_number() over (order by id) as n from users where invite_code like 'bench%') traders
  join (
    select place, row_number() over (order by place) as n from generate_series(0, 4095) place
    where place not in (select place from proof_accounts)
  ) free using (n);
  insert into proof_places (id, account) select place::text, id from proof_accounts on conflict do nothing;
  insert into proof_changes (id, last) select 'last', max(change) from proof_accounts
    on conflict (id) do update set last = excluded.last`

/** The state before the first swap. */
const BEFORE = `
  insert into balances values ('${REWARDS}', 'BNB', 0), ('${REWARDS}', 'USDT', 0) on conflict do nothing;
  create table bench_before as select (select max(seq) from entries) as seq, pool_bnb.units as pool_bnb, pool_usdt.units as pool_usdt,
    rewards_bnb.units as rewards_bnb, rewards_usdt.units as rewards_usdt
  from balances pool_bnb, balances pool_usdt, balances rewards_bnb, balances rewards_usdt
  where (pool_bnb.account, pool_bnb.asset) = ('${poolAccount(POOL)}', 'BNB')
    and (pool_usdt.account, pool_usdt.asset) = ('${poolAccount(POOL)}', 'USDT')
    and (rewards_bnb.account, rewards_bnb.asset) = ('${REWARDS}', 'BNB')
    and (rewards_usdt.account, rewards_usdt.asset) = ('${REWARDS}', 'USDT')`

/** Each trader sells BNB and buys it back in the next swap. The fees are the pool's: so a trader has the same after each pair. */
async function addSwaps(
  db: Database,
  { from, to, firstAt }: { readonly from: number; readonly to: number; readonly firstAt: Date },
): Promise<void> {
  const [users] = await db.query<{ count: number }>('select count(*)::integer as count from bench_traders where n < 0')
  await db.query(
    `with swaps as materialized (
       select b.seq + i as seq, t.id, t.account, i % 2 = 0 as inverse, md5(i::text) as random,
         $3::timestamptz + i * interval '${STEP_MS} milliseconds' as at,
         case when i % 2 = 1 then array['BNB', 'BNB', 'BNB', 'USDT', 'USDT'] else array['USDT', 'USDT', 'USDT', 'BNB', 'BNB'] end as assets,
         case when i % 2 = 1
           then array[-${BNB}, ${BNB} - ${BNB_FEE}, ${BNB_FEE}, -${USDT}, ${USDT}]::numeric[]
           else array[-${USDT}, ${USDT} - ${USDT_FEE}, ${USDT_FEE}, -${BNB}, ${BNB}]::numeric[] end as amounts,
         case when i % 2 = 1
           then array[t.bnb - ${BNB}, b.pool_bnb + ${BNB} - pairs * ${BNB_FEE}, b.rewards_bnb + pairs * ${BNB_FEE},
             b.pool_usdt - ${USDT} - (pairs - 1) * ${USDT_FEE}, t.usdt + ${USDT}]
           else array[t.usdt, b.pool_usdt - pairs * ${USDT_FEE}, b.rewards_usdt + pairs * ${USDT_FEE},
             b.pool_bnb - pairs * ${BNB_FEE}, t.bnb] end as balances
       from generate_series($1::bigint, $2::bigint) i
         cross join lateral (select ((i + 1) / 2)::numeric as pairs) p
         cross join bench_before b
         join bench_traders t on t.n = case when ((i + 1) / 2) % ${SIGNED_IN_EVERY} = 0
           then -1 - ((i + 1) / 2 / ${SIGNED_IN_EVERY}) % $4 else 1 + ((i + 1) / 2) % ${TRADERS} end
     ), identified as (
       select *, '${poolTag(POOL)}' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || substr(random, 1, 20) as order_id
       from swaps
     ), ordered as (
       insert into swap_orders (id, user_id, pool_id, inverse, amount_in, amount_out, fee, created_at)
       select order_id, id, '${POOL}', inverse, -amounts[1], amounts[5], amounts[3], at from identified order by seq
     ), remembered as (
       insert into command_outcomes (owner, key, kind, payload_hash, outcome, at)
       select id, random, 'swap', sha256(random::bytea),
         json_build_object('ok', json_build_object('transaction_id', order_id, 'status', 'completed', 'amount_in', '6.2', 'amount_out', '0.01',
           'fee', '0.0155')), at
       from identified where at > now() - interval '30 days' order by seq
     ), copied as (
       insert into owner_postings (entry_seq, position, account, asset, units, balance_after, kind)
       select seq, place, account, assets[1 + place], amounts[1 + place], balances[1 + place], 'swap'
       from identified cross join (values (0), (4)) as places (place) order by account, seq, place
     )
     insert into entries (seq, kind, at, reference, hash, accounts, assets, amounts, balances_after)
     select seq, 'swap', at, order_id, sha256(random::bytea),
       array[account, '${poolAccount(POOL)}', '${REWARDS}', '${poolAccount(POOL)}', account], assets, amounts, balances
     from identified order by seq`,
    [from, to, firstAt, users?.count ?? 1],
  )
}

/** One for each minute, hour and day of the swaps. */
async function addCandles(db: Database, firstAt: Date, until: Date): Promise<void> {
  for (const [span, unit] of [
    ['1m', 'minute'],
    ['1h', 'hour'],
    ['1d', 'day'],
  ] as const)
    await db.query(
      `insert into swap_candles
       select '${POOL}:${span}:' || extract(epoch from at)::bigint, '${POOL}', '${span}', at, 620e18, 620e18, 620e18, 620e18, 1e17, 62e18, 19
       from generate_series(date_trunc('${unit}', $1::timestamptz), $2::timestamptz, interval '1 ${unit}') at
       on conflict do nothing`,
      [firstAt, until],
    )
}
