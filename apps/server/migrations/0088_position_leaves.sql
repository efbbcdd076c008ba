-- Each pledge and open loan order with the headers whose positions tree has it, so that its owner gets a path in a header of before.
-- Written by the ledger's writer only.
create table proof_positions (
  -- The first header that has it, and its hash.
  id text primary key,
  account text not null,
  hash text not null,
  -- JSON: the fields that are hashed, without account and salt.
  leaf text not null,
  since bigint not null,
  -- The first header that has it no more; null: the newest header has it.
  ended bigint,
  ended_at timestamptz
);
create index proof_positions_account on proof_positions (account);
create index proof_positions_ended on proof_positions (ended);
create index proof_positions_ended_at on proof_positions (ended_at) where ended_at is not null;
