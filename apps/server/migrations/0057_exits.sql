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
