-- The lending market.

-- Parameters of the lending market, each set from its effective time on. Written by the ledger's writer.
create table lending_parameters (
  -- 1, 2, 3 …
  id text primary key,
  announced_at timestamptz not null,
  effective_at timestamptz not null,
  -- The key `stake` of the configuration, as JSON.
  parameters text not null
);

-- One row for each asset. Written by the ledger's writer.
create table lending_pools (
  -- The asset.
  id text primary key,
  -- Principal of all loans, in base units.
  borrowed numeric(78, 0) not null,
  accrued_at timestamptz not null,
  shares numeric(78, 0) not null,
  -- The borrow index, at 10^27: what one debt share owes. It starts at 10^27 and only grows.
  index_e27 numeric(78, 0) not null default 1000000000000000000000000000,
  -- The sum over the open orders.
  debt_shares numeric(78, 0) not null default 0,
  -- What all debts would be at only the part of the rate up to the kink, in base units at 10^27: the pledgers' part.
  below_debt_e27 numeric(78, 0) not null default 0,
  -- The rate per year at 10^18: the part up to the kink, and the part above it at accrued_at, with where it moves and how fast
  -- (per second).
  rate_below_e18 numeric(78, 0) not null default 0,
  rate_above_e18 numeric(78, 0) not null default 0,
  rate_target_e18 numeric(78, 0) not null default 0,
  rate_speed_e18 numeric(78, 0) not null default 0
);

-- The rates of each pool, hourly.
create table lending_rates (
  -- <asset>:<time>
  id text primary key,
  asset text not null,
  at timestamptz not null,
  -- Per year at 10^18.
  loan_rate_e18 numeric(78, 0) not null,
  pledge_rate_e18 numeric(78, 0) not null,
  utilisation_e18 numeric(78, 0) not null,
  index_e27 numeric(78, 0) not null
);
create index lending_rates_by_time on lending_rates (asset, at desc);

-- Bad debt so far, one row for each borrowed asset.
create table lending_losses (
  -- The asset.
  id text primary key,
  paid_by_insurance numeric(78, 0) not null,
  lost_by_pledgers numeric(78, 0) not null,
  last_at timestamptz not null
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

-- The value of a user's pledge at past times: shares after each change, and the value of shares over time.
create table pledge_changes (
  id text primary key,
  user_id text not null references users (id),
  asset text not null,
  shares numeric(78, 0) not null,
  -- The value of all shares after the change, in base units.
  value numeric(78, 0) not null,
  at timestamptz not null
);
create index pledge_changes_by_user on pledge_changes (user_id, asset, at desc);

create table pledge_values (
  -- <asset>:<time>
  id text primary key,
  asset text not null,
  -- The value of 10^24 shares, in base units.
  value numeric(78, 0) not null,
  at timestamptz not null
);
create index pledge_values_by_time on pledge_values (asset, at desc);

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
  term_days integer not null,
  created_at timestamptz not null,
  repayment_time timestamptz not null,
  status_at timestamptz not null,
  watch_until timestamptz not null,
  -- The limit that the loan has reached since its last change by the user: 0 none, 1 first warning, 2 second warning.
  warned integer not null,
  -- How many reminders of the repayment time were due.
  reminded integer not null,
  -- False until the user was notified of what the leader has found.
  is_announced boolean not null,
  -- How often the order can have been warned: rises whenever a warning is taken back.
  warning_round integer not null default 0,
  debt_shares numeric(78, 0) not null default 0,
  -- The parameters of the opening: limits, bonus and least amounts count for the order until it ends.
  terms_version integer not null default 1,
  -- The rate of the pool at the opening, per year at 10^18.
  opened_rate_e18 numeric(78, 0) not null default 0,
  -- The user is notified when the pool's rate reaches this.
  notify_rate_e18 numeric(78, 0),
  -- The rate that the user has to be notified of, until it is announced.
  rate_reached_e18 numeric(78, 0),
  -- A part was liquidated, and the user has to be notified of it.
  is_part_cleared boolean not null default false,
  -- Debt shares ÷ collateral ÷ limit, at 10^27: the order is over the limit while price × 10^27 ÷ index is at or under it. It changes
  -- only when the order acts. clear: the limit of liquidation; warn: the next warning, null when all were given; recover: the limit
  -- under which an order to be cleared is normal again, or under which a warned one can be warned again.
  clear_ratio numeric(110, 0) not null default 0,
  warn_ratio numeric(110, 0),
  recover_ratio numeric(110, 0)
);
create index loans_by_user on loans (user_id, created_at desc, id desc);
create index loans_by_status on loans (user_id, status, created_at desc, id desc);
create index loans_to_watch_by_time on loans (watch_until) where status = 2;
create index loans_to_announce on loans (id) where not is_announced;
create index loans_to_be_cleared on loans (created_at desc, id desc) where status = 0;
create index loans_to_clear on loans (collateral_asset, borrow_asset, clear_ratio desc) where status = 2;
create index loans_to_warn on loans (collateral_asset, borrow_asset, warn_ratio desc) where status = 2 and warn_ratio is not null;
create index loans_to_recover on loans (collateral_asset, borrow_asset, status, recover_ratio) where recover_ratio is not null;
create index loans_to_tell_of_rate on loans (borrow_asset, notify_rate_e18) where status in (2, 0) and notify_rate_e18 is not null;

-- What an account owes to a pool, so that its caps and its debts are known without reading its orders.
create table borrowers (
  -- <asset>:<user>
  id text primary key,
  user_id text not null references users (id),
  asset text not null,
  debt_shares numeric(78, 0) not null,
  open_orders integer not null
);
create index borrowers_by_user on borrowers (user_id);

-- What an account owed to a pool after each change, for the history.
create table borrower_changes (
  id text primary key,
  user_id text not null references users (id),
  asset text not null,
  debt_shares numeric(78, 0) not null,
  -- In base units.
  debt numeric(78, 0) not null,
  at timestamptz not null
);
create index borrower_changes_by_user on borrower_changes (user_id, asset, at desc);

-- Trees of sums over the open orders, ordered by collateral ÷ debt shares: the known loss of a pool at any price.
create table loan_ratio_nodes (
  id text primary key,
  body text not null
);

-- One receipt for each part of an order that is liquidated, with everything that is needed to compute it again.
create table liquidations (
  id text primary key,
  order_id text not null references loans (id),
  borrower_id text not null references users (id),
  liquidator_id text not null references users (id),
  collateral_asset text not null,
  borrow_asset text not null,
  -- Before this part, in base units.
  collateral numeric(78, 0) not null,
  principal numeric(78, 0) not null,
  debt_shares numeric(78, 0) not null,
  -- The index of the pool, at 10^27.
  index_e27 numeric(78, 0) not null,
  -- The part of the debt that ended.
  debt_ended numeric(78, 0) not null,
  repayment_time timestamptz not null,
  -- In USDT, at 10^18. The mean of the two sources, and those that the limit was judged by.
  collateral_price numeric(78, 0) not null,
  borrow_price numeric(78, 0) not null,
  collateral_high numeric(78, 0) not null,
  borrow_low numeric(78, 0) not null,
  price_time timestamptz not null,
  liquidation_bps integer not null,
  whole_bps integer not null,
  part_bps integer not null,
  small_order_loans integer not null,
  bonus_bps integer not null,
  overdue_bonus_bps integer not null,
  floor_bps integer not null,
  min_loan numeric(78, 0) not null,
  insurance numeric(78, 0) not null,
  is_over_limit boolean not null,
  is_overdue boolean not null,
  factor_bps integer not null,
  paid numeric(78, 0) not null,
  received numeric(78, 0) not null,
  returned numeric(78, 0) not null,
  paid_by_insurance numeric(78, 0) not null,
  lost_by_pledgers numeric(78, 0) not null,
  created_at timestamptz not null
);
create index liquidations_by_order on liquidations (order_id, created_at desc, id desc);
