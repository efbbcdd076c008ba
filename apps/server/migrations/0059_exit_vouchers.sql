-- A voucher for the vault with exits names a header that holds the lock of its amount. Null in the vault without exits, and before the
-- voucher is signed.
alter table withdrawal_orders add column root bigint;

-- What the vault with exits has paid to accounts that left. The vault's own counters of vouchers and exits are apart in total.
alter table vault_counters add column exited numeric(78, 0) not null default 0 check (exited >= 0);

-- The exits that are counted. Written by the ledger's writer only.
create table counted_exits (
  -- Chain, transaction and log index: counted once.
  id text primary key,
  -- The vault, the account that left and the asset.
  vault text not null,
  account text not null,
  asset text not null,
  units numeric(78, 0) not null,
  counted_at timestamptz not null
);
create index counted_exits_by_account on counted_exits (account, asset, counted_at desc);
