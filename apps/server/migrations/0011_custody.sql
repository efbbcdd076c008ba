-- Money that enters and leaves the vault, as the chain shows it. The signer has its own file.

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
create index deposit_orders_by_purpose on deposit_orders (user_id, purpose, created_at desc, id desc);

-- Each payment that reached the vault, once. The id is chain:transaction:log index.
create table deposits (
  id text primary key,
  user_id text not null,
  asset text not null,
  units numeric(78, 0) not null check (units > 0),
  tx_hash text not null,
  block_number numeric(78, 0) not null,
  order_id text,
  credited_at timestamptz not null,
  -- A deposit that a reorganisation removed after it was credited. The operator's accounts cover what the user had spent; if
  -- the payment returns, they get it back first.
  taken_back_at timestamptz,
  covered_by_insurance numeric(78, 0) not null default 0,
  covered_by_treasury numeric(78, 0) not null default 0
);
create index deposits_by_tx on deposits (tx_hash);
-- What is on the chain, newest first. Compared byte by byte, as whoever merges it with what is not confirmed yet does.
create index deposits_by_user on deposits (user_id, credited_at desc, id collate "C" desc);
create index deposits_by_asset on deposits (asset, credited_at, units) where taken_back_at is null;

-- A row that appears in a summed minute, or changes there, makes the sums of its asset invalid.
create function forget_signer_minutes(changed_asset text, changed_at timestamptz) returns void language plpgsql as $$
begin
  update signer_caps set summed_from = null, summed_to = null where asset = changed_asset and summed_to > changed_at;
  if found then
    delete from signer_minutes where asset = changed_asset;
  end if;
end
$$;

create function forget_minutes_of_deposit() returns trigger language plpgsql as $$
begin
  perform forget_signer_minutes(new.asset, new.credited_at);
  if tg_op = 'UPDATE' then
    perform forget_signer_minutes(old.asset, old.credited_at);
  end if;
  return null;
end
$$;
create trigger deposits_minutes after insert or update on deposits
  for each row execute function forget_minutes_of_deposit();

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
  completed_at timestamptz,
  -- The signer whose signature is stored: the vault rejects it once its owner has appointed another.
  signed_by text,
  -- The account that gets the amount of an unused voucher. Null: the user's own.
  refund_account text
);
create index withdrawal_orders_by_user on withdrawal_orders (user_id, created_at desc, id desc);
-- Only what is open is looked at when time passes, however many orders there ever were.
create index withdrawal_orders_open on withdrawal_orders (deadline) where status in ('locked', 'signed');
create index withdrawal_orders_paid on withdrawal_orders (user_id, completed_at desc, id collate "C" desc)
  where status = 'completed';
create index withdrawal_orders_of_operator on withdrawal_orders (created_at desc, id desc) where refund_account is not null;

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

-- The vault that the watcher's cursor belongs to. Written by the ledger's writer only, once.
create table watched_vaults (
  -- The chain's number.
  id text primary key,
  -- In lower case.
  vault text not null,
  since timestamptz not null
);

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

-- How far the watcher has read. The hash is checked before it goes on.
create table chain_cursors (
  id text primary key,
  number numeric(78, 0) not null,
  hash text not null,
  -- The time of the block that was read last: what falls due on the chain is judged by it.
  time timestamptz not null
);

-- The head of the chain at that look: confirmations are counted from it.
create table chain_heads (
  id text primary key,
  number numeric(78, 0) not null
);

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
