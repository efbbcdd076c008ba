-- The transaction that posts a header to the vault, while it is not mined. The leader writes it before it sends it.
create table root_transactions (
  -- The chain's number.
  id text primary key,
  nonce bigint not null,
  -- The number of the header.
  number bigint not null,
  -- Of every transaction with this nonce, the newest last.
  hashes text[] not null,
  -- The newest one, signed.
  raw text not null,
  -- Wei for each unit of gas.
  max_fee numeric(78, 0) not null,
  tip numeric(78, 0) not null,
  sent_at timestamptz not null
);

-- Exits of accounts from the vault with exits. Written by the ledger's writer only, which refuses their commands unless `closed`.
create table exits (
  -- The account's address in lower case.
  id text primary key,
  state text not null check (state in ('requested', 'open', 'cancelling', 'closed')),
  exit_at timestamptz not null,
  block numeric(78, 0) not null,
  changed_at timestamptz not null
);
-- The open ones are read every second.
create index exits_open on exits (id) where state <> 'closed';

-- What the vault has paid to accounts that left. Written by the ledger's writer only.
create table exit_payments (
  -- Chain, transaction and log index: booked once.
  id text primary key,
  user_id text not null,
  asset text not null,
  units numeric(78, 0) not null,
  -- What the account did not have available, and still owes the vault.
  missing numeric(78, 0) not null check (missing >= 0),
  receiver text not null,
  tx_hash text not null,
  block numeric(78, 0) not null,
  booked_at timestamptz not null
);
create index exit_payments_by_user on exit_payments (user_id, booked_at desc);
create index exit_payments_missing on exit_payments (booked_at) where missing > 0;
