-- The lending market. Written by the ledger's writer.
create table lending_pools (
  -- The asset.
  id text primary key,
  -- Principal of all loans, in base units.
  borrowed numeric(78, 0) not null,
  -- Sum of principal × rate per year at 10^18.
  rate_sum numeric(110, 0) not null,
  -- Interest owed until accrued_at: units × 10^18 × seconds of a year.
  accrued numeric(130, 0) not null,
  accrued_at timestamptz not null,
  shares numeric(78, 0) not null,
  -- The utilisation that new loans are priced by if it is higher than the present one, at 10^18. It fades within a day.
  remembered_e18 numeric(78, 0) not null,
  remembered_at timestamptz not null
);

create table pledges (
  -- <asset>:<user>
  id text primary key,
  user_id text not null references users (id),
  asset text not null,
  shares numeric(78, 0) not null,
  -- All that the user ever pledged and withdrew, in base units.
  pledged numeric(78, 0) not null,
  withdrawn numeric(78, 0) not null,
  changed_at timestamptz not null
);
create index pledges_by_user on pledges (user_id);

create table loans (
  id text primary key,
  user_id text not null references users (id),
  -- 2 normal, 0 to be cleared, 1 completed, -1 liquidated.
  status integer not null check (status in (2, 0, 1, -1)),
  collateral_asset text not null,
  collateral numeric(78, 0) not null,
  borrow_asset text not null,
  borrowed numeric(78, 0) not null,
  principal numeric(78, 0) not null,
  rate_e18 numeric(78, 0) not null,
  accrued numeric(130, 0) not null,
  accrued_at timestamptz not null,
  term_days integer not null,
  created_at timestamptz not null,
  repayment_time timestamptz not null,
  status_at timestamptz not null,
  -- While the price of the collateral in the borrowed asset is above this, at 10^18, and until watch_until, the loan keeps
  -- its status.
  watch_price numeric(78, 0) not null,
  watch_until timestamptz not null,
  -- The limit that the loan has reached since its last change by the user: 0 none, 1 first warning, 2 second warning.
  warned integer not null,
  -- How many reminders of the repayment time were due.
  reminded integer not null,
  -- False until the user was notified of what the leader has found.
  is_announced boolean not null
);
create index loans_by_user on loans (user_id, created_at desc, id desc);
create index loans_by_status on loans (user_id, status, created_at desc, id desc);
create index loans_to_watch_by_price on loans (collateral_asset, borrow_asset, watch_price desc) where status = 2;
create index loans_to_watch_by_time on loans (watch_until) where status = 2;
create index loans_to_announce on loans (id) where not is_announced;
create index loans_to_be_cleared on loans (created_at desc, id desc) where status = 0;

-- Liquidations, with everything that is needed to compute them again.
create table liquidations (
  -- The order.
  id text primary key references loans (id),
  borrower_id text not null references users (id),
  liquidator_id text not null references users (id),
  collateral_asset text not null,
  borrow_asset text not null,
  collateral numeric(78, 0) not null,
  principal numeric(78, 0) not null,
  interest numeric(78, 0) not null,
  -- In USDT, at 10^18.
  collateral_price numeric(78, 0) not null,
  borrow_price numeric(78, 0) not null,
  price_time timestamptz not null,
  liquidation_bps integer not null,
  factor_bps integer not null,
  paid numeric(78, 0) not null,
  received numeric(78, 0) not null,
  returned numeric(78, 0) not null,
  paid_by_insurance numeric(78, 0) not null,
  lost_by_pledgers numeric(78, 0) not null,
  created_at timestamptz not null
);
create index liquidations_by_borrower on liquidations (borrower_id, created_at desc, id desc);
create index liquidations_by_liquidator on liquidations (liquidator_id, created_at desc, id desc);
