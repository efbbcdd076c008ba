-- Payments to and by the vault that are on the chain but not confirmed, as the leader's watcher saw them last: all servers
-- show the same. Never a reason to credit anything. The watcher replaces the rows whenever they change.
create table pending_movements (
  -- chain:transaction:log index
  id text primary key,
  chain_id text not null,
  -- The sender of a deposit, the recipient of a withdrawal.
  account text not null,
  asset text not null,
  units numeric(78, 0) not null,
  tx_hash text not null,
  log_index integer not null,
  block_number numeric(78, 0) not null,
  block_hash text not null,
  -- Of a deposit that names an order.
  order_id text,
  -- Of a withdrawal, and null for a deposit.
  nonce numeric(78, 0)
);
create index pending_movements_by_account on pending_movements (account, block_number desc);

-- The head of the chain at that look: confirmations are counted from it.
create table chain_heads (
  id text primary key,
  number numeric(78, 0) not null
);
