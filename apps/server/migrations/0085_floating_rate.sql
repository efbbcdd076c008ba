-- The rate of a lending pool floats: a borrow index per pool grows, and an order holds debt shares. Open orders keep their debt to
-- the unit: they get shares of an index of 1 equal to their debt at the time up to which their pool has accrued.
alter table lending_pools
  -- At 10^27. It starts at 10^27 and only grows.
  add column index_e27 numeric(78, 0) not null default 1000000000000000000000000000,
  -- The sum over the open orders.
  add column debt_shares numeric(78, 0) not null default 0,
  -- The rate per year at 10^18: the part up to the kink, and the part above it at accrued_at, with where it moves and how fast
  -- (per second).
  add column rate_below_e18 numeric(78, 0) not null default 0,
  add column rate_above_e18 numeric(78, 0) not null default 0,
  add column rate_target_e18 numeric(78, 0) not null default 0,
  add column rate_speed_e18 numeric(78, 0) not null default 0;

alter table loans
  add column debt_shares numeric(78, 0) not null default 0,
  -- The parameters of the opening: limits, bonus and least amounts count for the order until it ends.
  add column terms_version integer not null default 1,
  -- The rate of the pool at the opening, per year at 10^18.
  add column opened_rate_e18 numeric(78, 0) not null default 0,
  -- The user is notified when the pool's rate reaches this.
  add column notify_rate_e18 numeric(78, 0),
  -- The rate that the user has to be notified of, until it is announced.
  add column rate_reached_e18 numeric(78, 0),
  -- A part was liquidated, and the user has to be notified of it.
  add column is_part_cleared boolean not null default false,
  -- Debt shares ÷ collateral ÷ limit, at 10^27: the order is over the limit while price × 10^27 ÷ index is at or under it. It changes
  -- only when the order acts. clear: the limit of liquidation; warn: the next warning, null when all were given; recover: the limit
  -- under which an order to be cleared is normal again, or under which a warned one can be warned again.
  add column clear_ratio numeric(110, 0) not null default 0,
  add column warn_ratio numeric(110, 0),
  add column recover_ratio numeric(110, 0);

update loans set opened_rate_e18 = rate_e18;

update loans set
  debt_shares = principal + div(
    loans.accrued + principal * rate_e18
      * greatest(0, floor(extract(epoch from pool.accrued_at)) - floor(extract(epoch from loans.accrued_at)))::numeric
      + 31535999999999999999999999,
    31536000000000000000000000
  ),
  terms_version = coalesce((
    select id::integer from lending_parameters where effective_at <= now() order by effective_at desc, id::integer desc limit 1
  ), 1),
  -- Twice the fixed rate that the order had, and at least 1 % per year.
  notify_rate_e18 = greatest(2 * rate_e18, 10000000000000000)
from lending_pools pool
where pool.id = loans.borrow_asset and loans.status in (2, 0);

update lending_pools set
  debt_shares = owed.shares,
  -- Until the leader prices the pool by its curve: the mean of the fixed rates that its orders had.
  rate_below_e18 = div(rate_sum, greatest(borrowed, 1))
from (
  select pool.id, coalesce(sum(loans.debt_shares), 0) as shares
  from lending_pools pool left join loans on loans.borrow_asset = pool.id and loans.status in (2, 0)
  group by pool.id
) owed
where owed.id = lending_pools.id;

update loans set
  clear_ratio = div(debt_shares * 1e31::numeric, greatest(collateral, 1) * terms.clear) + 1,
  warn_ratio = case
    when warned = 0 then div(debt_shares * 1e31::numeric, greatest(collateral, 1) * terms.warn) + 1
    when warned = 1 then div(debt_shares * 1e31::numeric, greatest(collateral, 1) * terms.last) + 1
  end,
  recover_ratio = case
    when status = 0 then div(debt_shares * 1e31::numeric, greatest(collateral, 1) * terms.clear) + 1
    when warned > 0 then div(debt_shares * 1e31::numeric, greatest(collateral, 1) * terms.initial) + 1
  end
from (
  select id::integer as version, (parameters::jsonb #>> '{ltv,initialBps}')::numeric as initial,
    (parameters::jsonb #>> '{ltv,warningBps}')::numeric as warn,
    (parameters::jsonb #>> '{ltv,lastWarningBps}')::numeric as last,
    (parameters::jsonb #>> '{ltv,liquidationBps}')::numeric as clear
  from lending_parameters
) terms
where terms.version = loans.terms_version and status in (2, 0);
-- watch_until is only for reminders and the repayment time now: each order is looked at once and finds its own next time.
update loans set watch_until = now() where status in (2, 0) and repayment_time > now();

drop index loans_to_watch_by_price;
drop index loans_to_recover_by_price;
drop index loans_by_limits;
alter table loans drop column rate_e18, drop column accrued, drop column accrued_at, drop column watch_price,
  drop column recover_price, drop column limits_version;
alter table lending_pools drop column rate_sum, drop column accrued, drop column remembered_e18, drop column remembered_at;

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
insert into borrowers
  select borrow_asset || ':' || user_id, user_id, borrow_asset, sum(debt_shares), count(*)::integer
  from loans where status in (2, 0) group by user_id, borrow_asset;

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
insert into borrower_changes
  select 'before:' || borrow_asset || ':' || user_id, user_id, borrow_asset, sum(debt_shares), sum(debt_shares), min(created_at)
  from loans where status in (2, 0) group by user_id, borrow_asset;

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

-- Trees of sums over the open orders, ordered by collateral ÷ debt shares: the known loss of a pool at any price.
create table loan_ratio_nodes (
  id text primary key,
  body text not null
);
-- Orders from before have to be added by the leader before the lending market serves commands.
insert into loan_ratio_nodes select 'to-build', 'yes' where exists (select from loans where status in (2, 0));
