-- Each filter of a list has an index that serves it, so a page costs the same on any length of history.

-- A user's swaps in one pool. All of them are merged from the pools, so a swap costs no more index entries than before.
create index swap_orders_by_user_and_pool on swap_orders (user_id, pool_id, created_at desc, id desc);
drop index swap_orders_by_user;

create index deposit_orders_by_purpose on deposit_orders (user_id, purpose, created_at desc, id desc);
drop index deposit_orders_by_user;

create index alerts_by_symbol on alerts (user_id, symbol, created_at desc, id desc);
create index alerts_by_status on alerts (user_id, status, created_at desc, id desc);
create index alerts_by_symbol_and_status on alerts (user_id, symbol, status, created_at desc, id desc);

create index notices_by_kind on notices (user_id, kind, id desc);
