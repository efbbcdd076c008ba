-- The roots that the vault has, by its own events. Written by the ledger's writer only, with the watcher's cursor.
create table posted_roots (
  -- The vault and the count of posts.
  id text primary key,
  vault text not null,
  seq bigint not null,
  -- The number of the header, and its hash as the vault has it.
  number bigint not null,
  header_hash text not null,
  posted_at timestamptz not null,
  tx_hash text not null,
  block numeric(78, 0) not null,
  -- The owner dropped it, or a reorganisation removed it: it is no base of an exit.
  is_void boolean not null
);
create index posted_roots_by_seq on posted_roots (vault, seq desc) where not is_void;
create index posted_roots_by_time on posted_roots (vault, posted_at desc) where not is_void;
create index posted_roots_by_block on posted_roots (block);
