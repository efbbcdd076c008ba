-- Transfers out: an amount that is locked, and the voucher that lets the vault pay it. Written by the ledger's writer only.
create table withdrawal_orders (
  -- The voucher's nonce as 32 hex digits, so that a payment on the chain finds its order.
  id text primary key,
  user_id text not null,
  asset text not null,
  amount numeric(78, 0) not null check (amount > 0),
  nonce numeric(78, 0) not null unique,
  -- The last second in which the voucher pays, as a block's timestamp.
  deadline timestamptz not null,
  status text not null check (status in ('locked', 'signed', 'completed', 'expired', 'refused')),
  -- Why the signer refused, in one word.
  refused_reason text,
  signature text,
  tx_hash text,
  created_at timestamptz not null,
  -- When it became completed, expired or refused.
  completed_at timestamptz
);
create index withdrawal_orders_by_user on withdrawal_orders (user_id, created_at desc, id desc);
-- Only what is open is looked at when time passes, however many orders there ever were.
create index withdrawal_orders_open on withdrawal_orders (deadline) where status in ('locked', 'signed');

-- Payments of the vault that no order accounts for: an alarm each, and nothing is posted. Written by the ledger's writer only.
create table unknown_withdrawals (
  -- chain:transaction:log index
  id text primary key,
  reason text not null,
  account text not null,
  asset text not null,
  units numeric(78, 0) not null,
  nonce numeric(78, 0) not null,
  tx_hash text not null,
  block_number numeric(78, 0) not null,
  seen_at timestamptz not null
);

-- The time of the block that was read last: what falls due on the chain is judged by it. A cursor that is older than this
-- column is due for nothing before it moves.
alter table chain_cursors add column time timestamptz not null default 'epoch';
alter table chain_cursors alter column time drop default;

-- The signer's own tables: no other part writes them.

-- One row for each asset: whoever sums what was signed and adds to it holds it.
create table signer_caps (
  asset text primary key
);

create table signed_vouchers (
  nonce numeric(78, 0) primary key,
  -- The EIP-712 digest: the whole content of the voucher.
  digest text not null,
  asset text not null,
  units numeric(78, 0) not null,
  signed_at timestamptz not null,
  -- Not null: refused for this reason, and never to be signed.
  refused text
);
create index signed_vouchers_by_time on signed_vouchers (asset, signed_at, units) where refused is null;

-- What was signed stays counted, and what was refused stays refused.
create trigger signed_vouchers_append_only before update or delete or truncate on signed_vouchers
  for each statement execute function refuse_change();
