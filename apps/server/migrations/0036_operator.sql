-- Requests of the operator's command line. The command line adds a row; the writer writes it again with `done_at`.
create table operator_requests (
  id text primary key,
  kind text not null,
  -- JSON: the input of the action.
  payload text not null,
  reason text not null,
  asked_at timestamptz not null,
  done_at timestamptz
);
create index operator_requests_open on operator_requests (asked_at, id) where done_at is null;

-- The audit log: every change that an operator made, with the reason. Written by the ledger's writer only.
create table operator_actions (
  id text primary key,
  kind text not null,
  payload text not null,
  reason text not null,
  -- One sentence.
  result text not null,
  at timestamptz not null
);
create index operator_actions_by_time on operator_actions (at desc, id desc);
-- By row: the writer's upsert counts as an update of its statement.
create trigger operator_actions_append_only before update or delete on operator_actions
  for each row execute function refuse_change();
create trigger operator_actions_kept before truncate on operator_actions
  for each statement execute function refuse_change();

-- A deposit that a reorganisation removed after it was credited. The operator's accounts cover what the user had spent; if
-- the payment returns, they get it back first.
alter table deposits
  add column taken_back_at timestamptz,
  add column covered_by_insurance numeric(78, 0) not null default 0,
  add column covered_by_treasury numeric(78, 0) not null default 0;

-- The account that gets the amount of an unused voucher. Null: the user's own.
alter table withdrawal_orders add column refund_account text;

-- The daily cap of all accounts does not count deposits that were taken back.
drop index deposits_by_asset;
create index deposits_by_asset on deposits (asset, credited_at, units) where taken_back_at is null;
create index withdrawal_orders_of_operator on withdrawal_orders (created_at desc, id desc) where refund_account is not null;
