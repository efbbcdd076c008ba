-- When a rewind of the watcher took the payment back, because the chain does not have it any more. Null: it counts.
alter table counted_exits add column taken_back_at timestamptz;
alter table exit_payments add column taken_back_at timestamptz;

-- The posted root under which the vault paid, by its count of posts. Null in rows of before.
alter table exit_payments add column base bigint;
