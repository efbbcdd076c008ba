-- One index answers both what an account did, newest first, and what it held of an asset at a time: it takes the place of
-- the one by account alone, so that a posting costs as many index entries as before. Numbers stand in it as their negatives:
-- no other index has that order, so the planner is never tempted to walk the whole ledger in search of one account.
create index postings_by_account_asset on postings (account, asset, (-entry_seq), (-position));
drop index postings_by_account;

-- Entries never go back in time, so a time is a place in their order.
create index entries_by_time on entries (at desc, seq desc);

-- What is on the chain, newest first. Compared byte by byte, as whoever merges it with what is not confirmed yet does.
create index deposits_by_user on deposits (user_id, credited_at desc, id collate "C" desc);
create index withdrawal_orders_paid on withdrawal_orders (user_id, completed_at desc, id collate "C" desc)
  where status = 'completed';
