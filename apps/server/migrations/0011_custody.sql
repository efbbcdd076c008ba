-- Orders to pay the vault: transfers in and activations by wallet. Written by the ledger's writer only.
create table deposit_orders (
  id text primary key,
  user_id text not null,
  purpose text not null check (purpose in ('transfer_in', 'activation')),
  asset text not null,
  amount numeric(78, 0) not null check (amount > 0),
  credited numeric(78, 0) not null,
  tx_hash text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index deposit_orders_by_user on deposit_orders (user_id, created_at desc, id desc);

-- Each payment that reached the vault, once. The id is chain:transaction:log index.
create table deposits (
  id text primary key,
  user_id text not null,
  asset text not null,
  units numeric(78, 0) not null check (units > 0),
  tx_hash text not null,
  block_number numeric(78, 0) not null,
  order_id text,
  credited_at timestamptz not null
);
create index deposits_by_tx on deposits (tx_hash);

-- How far the watcher has read. The hash is checked before it goes on.
create table chain_cursors (
  id text primary key,
  number numeric(78, 0) not null,
  hash text not null
);
