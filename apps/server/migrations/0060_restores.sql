-- Restores from a bookkeeper's store. Written by the ledger's writer only. No server starts while one is not finished.
create table restores (
  -- The first imported entry, as text.
  id text primary key,
  from_seq bigint not null,
  to_seq bigint not null,
  -- The last entry that was imported: each one follows it.
  last_seq bigint not null,
  reason text not null,
  started_at timestamptz not null,
  finished_at timestamptz
);
