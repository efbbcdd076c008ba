-- Switches that stop what could do harm while something is wrong. Written by the ledger's writer only.
create table breakers (
  id text primary key,
  -- Null: everything goes on.
  stopped_at timestamptz,
  -- One word for the clients, and one sentence for the operator.
  reason text,
  detail text
);

-- Each opening and closing, for good.
create table breaker_events (
  id text primary key,
  breaker text not null,
  kind text not null check (kind in ('stopped', 'released')),
  reason text not null,
  detail text not null,
  at timestamptz not null
);
create index breaker_events_by_time on breaker_events (breaker, at desc, id desc);
-- By row: what the writer writes is an upsert, which counts as an update of its statement.
create trigger breaker_events_append_only before update or delete on breaker_events
  for each row execute function refuse_change();
create trigger breaker_events_kept before truncate on breaker_events
  for each statement execute function refuse_change();
