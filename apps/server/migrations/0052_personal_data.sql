-- A user's own data is read by user. These tables had no index for it.
create index liquidations_by_borrower on liquidations (borrower_id);
create index liquidations_by_liquidator on liquidations (liquidator_id);
create index plan_runs_by_user on plan_runs (user_id);
create index signed_vouchers_of_account on signed_vouchers (account);
create index vault_counters_by_account on vault_counters (account);
