-- The vault that the watcher's cursor belongs to. Written by the ledger's writer only, once.
create table watched_vaults (
  -- The chain's number.
  id text primary key,
  -- In lower case.
  vault text not null,
  since timestamptz not null
);
