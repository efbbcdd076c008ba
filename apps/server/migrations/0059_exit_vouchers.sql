-- A voucher for the vault with exits names a header that holds the lock of its amount. Null in the vault without exits, and before the
-- voucher is signed.
alter table withdrawal_orders add column root bigint;
-- `cancelled`: by its user, before a voucher existed.
alter table withdrawal_orders drop constraint withdrawal_orders_status_check;
alter table withdrawal_orders add constraint withdrawal_orders_status_check
  check (status in ('locked', 'signed', 'completed', 'expired', 'refused', 'cancelled'));
-- What the vault with exits has paid to accounts that left. The vault's own counters of vouchers and exits are apart in total.
alter table vault_counters add column exited numeric(78, 0) not null default 0 check (exited >= 0);
