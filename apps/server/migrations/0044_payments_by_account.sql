-- For the timeline of one account: payments without a credit are rare, but never deleted.
create index stranded_deposits_by_user on stranded_deposits (user_id, seen_at desc);
create index unknown_withdrawals_by_account on unknown_withdrawals (account, seen_at desc);
