-- Where the other servers of this ledger reach each one. The one that holds the writer's lease is found by its name there.
create table servers (
  url text primary key,
  -- As in `writer_lease.holder`.
  holder text not null unique,
  started_at timestamptz not null default now()
);
