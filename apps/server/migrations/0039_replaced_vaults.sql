-- The vaults that the ledger has moved away from: payments to them and by them are still read. Written by the ledger's
-- writer only.
create table replaced_vaults (
  -- The chain's number and the vault: '56:0x…'.
  id text primary key,
  chain_id text not null,
  -- In lower case.
  vault text not null,
  replaced_at timestamptz not null
);

-- Deposits that reached a vault after the ledger had moved away from it. The operator moves the money and then credits them.
create table stranded_deposits (
  -- Chain, transaction and log index, as in `deposits`.
  id text primary key,
  vault text not null,
  user_id text not null,
  asset text not null,
  units numeric(78, 0) not null check (units > 0),
  tx_hash text not null,
  log_index integer not null,
  block_number numeric(78, 0) not null,
  order_id text,
  seen_at timestamptz not null,
  credited_at timestamptz
);

create index stranded_deposits_waiting on stranded_deposits (block_number, id) where credited_at is null;
