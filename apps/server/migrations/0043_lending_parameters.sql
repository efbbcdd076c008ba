-- Parameters of the lending market, each set from its effective time on. Written by the ledger's writer.
create table lending_parameters (
  -- 1, 2, 3 …
  id text primary key,
  announced_at timestamptz not null,
  effective_at timestamptz not null,
  -- The key `stake` of the configuration, as JSON.
  parameters text not null
);

alter table loans
  -- At this price of the collateral in the borrowed asset and above, at 10^18, an order to be cleared is normal again, and a
  -- warned order can be warned again. Null where no price does so.
  add column recover_price numeric(78, 0),
  -- How often the order can have been warned: rises whenever a warning is taken back.
  add column warning_round integer not null default 0,
  -- The parameters whose limits watch_price and recover_price were computed by.
  add column limits_version integer not null default 1;
create index loans_to_recover_by_price on loans (collateral_asset, borrow_asset, recover_price)
  where recover_price is not null;
create index loans_by_limits on loans (limits_version) where status in (2, 0);

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
