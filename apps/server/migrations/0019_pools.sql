-- What stops one pool. The breaker that stops all of them is in 0016_breakers.sql.
alter table swap_pools
  add column suspended_by text check (suspended_by in ('rule', 'operator')),
  -- False after the operator's resume, until the price was calm once: the rule must not undo at once what the operator
  -- did with open eyes.
  add column is_watched boolean not null default true;
-- Whoever suspended a pool before there was a rule was the operator.
update swap_pools set suspended_by = 'operator' where suspended_at is not null;

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
