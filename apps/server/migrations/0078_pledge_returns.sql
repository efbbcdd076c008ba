-- The value that leaving accounts still get back from a pool before its cash is lent again. Written by the ledger's writer only.
create table pledge_returns (
  -- The asset.
  id text primary key,
  waiting numeric(78, 0) not null check (waiting >= 0),
  changed_at timestamptz not null
);
