-- Planned swaps. Written by the ledger's writer.
create table plans (
  id text primary key,
  user_id text not null references users (id),
  pool_id text not null references swap_pools (id),
  inverse boolean not null,
  amount numeric(78, 0) not null check (amount > 0),
  kind text not null check (kind in ('limit', 'schedule')),
  price_e18 numeric(78, 0) check (price_e18 > 0),
  trigger_e18 numeric(78, 0) check (trigger_e18 > 0),
  armed_depth numeric(78, 0),
  armed_fee_bps integer,
  every text check (every in ('day', 'week', 'month')),
  hour integer check (hour between 0 and 23),
  slippage_bps integer,
  anchor_day text,
  next_day text,
  next_hour_at timestamptz,
  next_run_at timestamptz,
  ends_at timestamptz,
  status text not null check (status in ('active', 'paused', 'done', 'cancelled', 'expired', 'ended')),
  reason text,
  skipped integer not null,
  last_run_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((kind = 'limit') = (price_e18 is not null) and (kind = 'schedule') = (every is not null)),
  -- Only an active limit waits for a price, and only an active schedule has a next run.
  check ((trigger_e18 is not null) = (kind = 'limit' and status = 'active')),
  check ((next_run_at is not null) = (kind = 'schedule' and status = 'active')),
  check ((ended_at is null) = (status in ('active', 'paused')))
);
-- What a price reaches is one stretch of this index, however many limits wait beyond it.
create index plans_by_trigger on plans (pool_id, inverse, trigger_e18, created_at, id) where trigger_e18 is not null;
create index plans_by_depth on plans (pool_id, armed_fee_bps, armed_depth) where trigger_e18 is not null;
create index plans_due on plans (next_run_at, id) where next_run_at is not null;
create index plans_ending on plans (ends_at) where status in ('active', 'paused') and ends_at is not null;
create index plans_by_user on plans (user_id, created_at desc, id desc);
create index plans_by_status on plans (user_id, status, created_at desc, id desc);

-- A run counts once: the id is the plan and the Hong Kong day.
create table plan_runs (
  id text primary key,
  plan_id text not null references plans (id),
  user_id text not null,
  day text not null,
  status text not null check (status in ('made', 'skipped')),
  reason text,
  swap_id text,
  amount_in numeric(78, 0) not null,
  amount_out numeric(78, 0) not null,
  created_at timestamptz not null,
  check ((status = 'made') = (swap_id is not null) and (status = 'made') = (reason is null))
);
create index plan_runs_by_plan on plan_runs (plan_id, created_at desc, id desc);

-- The number of an account's open plans, which the writer counts.
create table plan_owners (
  id text primary key,
  open integer not null check (open >= 0)
);
