-- Requests and cancels of exits that the watcher's cursor has passed. Written by the ledger's writer only, with that cursor.
create table exit_acts (
  -- Chain, transaction and log index: booked once.
  id text primary key,
  user_id text not null,
  kind text not null check (kind in ('request', 'cancel')),
  -- A request: the time of its block. A cancel: when it was booked, seconds after its block.
  at timestamptz not null,
  tx_hash text not null,
  block numeric(78, 0) not null,
  log_index bigint not null
);
create index exit_acts_by_user on exit_acts (user_id, block desc, log_index desc);
