-- Written by the ledger's writer only. A pool's reserves are the balances of its account.
create table swap_pools (
  id text primary key,
  base text not null,
  quote text not null,
  opened_at timestamptz not null,
  suspended_at timestamptz,
  suspended_reason text,
  -- What stops one pool. A breaker stops all of them.
  suspended_by text check (suspended_by in ('rule', 'operator')),
  -- False after the operator's resume, until the price was calm once: the rule must not undo at once what the operator
  -- did with open eyes.
  is_watched boolean not null default true
);

-- Each change, for good.
create table pool_events (
  id text primary key,
  pool_id text not null,
  kind text not null check (kind in ('suspended', 'resumed', 'watched')),
  changed_by text not null check (changed_by in ('rule', 'operator')),
  -- One sentence for the operator: the prices that the rule saw, or what the operator wrote.
  detail text not null,
  at timestamptz not null
);
create index pool_events_by_time on pool_events (at desc, id desc);
-- By row: what the writer writes is an upsert, which counts as an update of its statement.
create trigger pool_events_append_only before update or delete on pool_events
  for each row execute function refuse_change();
create trigger pool_events_kept before truncate on pool_events
  for each statement execute function refuse_change();

-- What the operator's command line asks of the server that holds the ledger's lease. The command line adds a row, the
-- writer writes it again with `done_at`.
create table pool_requests (
  id text primary key,
  pool_id text not null,
  kind text not null check (kind in ('suspended', 'resumed')),
  detail text not null,
  asked_at timestamptz not null,
  done_at timestamptz
);
create index pool_requests_open on pool_requests (asked_at) where done_at is null;

create table swap_orders (
  id text primary key,
  user_id text not null,
  pool_id text not null,
  inverse boolean not null,
  amount_in numeric(78, 0) not null,
  amount_out numeric(78, 0) not null,
  fee numeric(78, 0) not null,
  created_at timestamptz not null
);
-- A user's swaps in one pool. A list of all of them merges the pools, so a swap needs one index entry here.
create index swap_orders_by_user_and_pool on swap_orders (user_id, pool_id, created_at desc, id desc);

create table swap_candles (
  id text primary key,
  pool_id text not null,
  span text not null,
  starts_at timestamptz not null,
  open_e18 numeric(78, 0) not null,
  high_e18 numeric(78, 0) not null,
  low_e18 numeric(78, 0) not null,
  close_e18 numeric(78, 0) not null,
  volume_base numeric(78, 0) not null,
  volume_quote numeric(78, 0) not null,
  trade_count integer not null
);
create index swap_candles_by_pool on swap_candles (pool_id, span, starts_at desc);

create table fee_days (
  -- `<account>:<day>`. A click reads the rows of the days before it.
  id text primary key,
  day text not null,
  -- The revenue part of the fees in base units of USDT, by the USDT side of each swap.
  revenue numeric(78, 0) not null,
  -- What the fees brought into `rewards`, by asset.
  bnb numeric(78, 0) not null,
  eth numeric(78, 0) not null,
  rt numeric(78, 0) not null,
  usdt numeric(78, 0) not null
) with (fillfactor = 80);
create index fee_days_by_day on fee_days (day);
