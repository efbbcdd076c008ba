-- The facts of a day of boxes as of its last step, which bookkeepers store with the entries: a restored ledger continues the day with the
-- same root, block and seed. Written by the ledger's writer only.
create table box_day_records (
  -- The day.
  id text primary key,
  -- JSON: the day with its pools.
  body text not null,
  at timestamptz not null
);
