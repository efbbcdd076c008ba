-- The last comparison of the ledger with the vault, as every server shows it. The leader replaces the row after each check.
create table reserve_checks (
  -- The chain's number.
  id text primary key,
  checked_at timestamptz not null,
  -- The block that the vault was read at.
  block_number numeric(78, 0) not null,
  block_hash text not null,
  block_time timestamptz not null,
  -- The last entry of the ledger when its totals were read.
  ledger_seq bigint not null,
  entry_hash text not null,
  -- [{asset, vault, owed}] in base units, as text.
  assets jsonb not null,
  -- Null where the check passed.
  fault text
);
