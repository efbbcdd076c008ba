-- The vault whose counters contain the payment of a transfer out. Null while it is open, for a payment by a replaced vault, and for
-- payments of before.
alter table withdrawal_orders add column counted_by text;
