-- Written by the ledger's writer only. A pool's reserves are the balances of its account.
create table swap_pools (
  id text primary key,
  base text not null,
  quote text not null,
  opened_at timestamptz not null,
  suspended_at timestamptz,
  suspended_reason text
);

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
create index swap_orders_by_user on swap_orders (user_id, created_at desc, id desc);

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
