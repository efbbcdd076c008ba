-- What a posting costs in the database is what a swap costs: it has seven of them.

-- Only users' accounts and the vault's are read one by one. The others (pools, revenue) take part in every swap, and an index
-- entry for each of their postings would be most of what the index holds. Whoever wants the index says so in the query:
-- `account like 'user:%'` beside the account, because a prepared statement does not know what its parameter will be.
drop index if exists postings_by_account_asset;
drop index if exists postings_by_account;
create index postings_of_owners on postings (account, asset, (-entry_seq), (-position))
  where account = 'vault' or account like 'user:%';

-- Entries and their postings come in one statement (write-batch.ts), at whose end both triggers see all of them. So an
-- entry without postings is refused with the others of its statement, at a tenth of what a check for each row costs.
drop trigger entries_have_postings on entries;
create or replace function refuse_hollow() returns trigger language plpgsql as $$
declare
  bad bigint;
begin
  select e.seq into bad from added e
    where not exists (select 1 from postings p where p.entry_seq = e.seq and p.position = e.posting_count - 1) limit 1;
  if bad is not null then
    raise exception 'unbalanced: entry % has no postings', bad using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger entries_have_postings after insert on entries
  referencing new table as added for each statement execute function refuse_hollow();
