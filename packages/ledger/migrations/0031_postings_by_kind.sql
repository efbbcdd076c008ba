-- A user's history is filtered by kind. So a posting has its entry's kind, and an index leads to the postings of one kind.
-- The index leaves swaps out: nearly all entries are swaps, so they are found in the order of the account, and an index
-- entry for each would cost a twentieth of the swap rate (decision 0019).

-- An older server may be writing.
lock table writer_lease, entries, owner_postings in access exclusive mode;

alter table owner_postings add column kind text;
alter table owner_postings disable trigger owner_postings_append_only;
update owner_postings set kind = entries.kind from entries where entries.seq = owner_postings.entry_seq;
alter table owner_postings enable trigger owner_postings_append_only;
alter table owner_postings alter column kind set not null;
create index owner_postings_by_kind on owner_postings (account, kind, asset, entry_seq, position) where kind <> 'swap';

create or replace function check_entries() returns trigger language plpgsql as $$
declare
  bad record;
begin
  select e.seq, p.asset, sum(p.units) as total into bad
    from added e cross join lateral unnest(e.accounts, e.assets, e.amounts, e.balances_after)
      as p (account, asset, units, balance_after)
    group by e.seq, p.asset
    -- Null is an error too.
    having sum(p.units) <> 0 or bool_or((
      p.account is not null and p.asset is not null and p.units <> 0 and (p.balance_after >= 0 or p.account = 'vault')
    ) is not true)
    limit 1;
  if found then
    raise exception 'unbalanced: entry % does not sum to zero in %, or takes an account below it', bad.seq, bad.asset
      using errcode = 'check_violation';
  end if;
  insert into owner_postings (entry_seq, position, account, asset, units, balance_after, kind)
    select e.seq, p.place - 1, p.account, p.asset, p.units, p.balance_after, e.kind
    from added e cross join lateral unnest(e.accounts, e.assets, e.amounts, e.balances_after) with ordinality
      as p (account, asset, units, balance_after, place)
    where p.account = 'vault' or p.account like 'user:%';
  return null;
end $$;

create or replace view postings as
  select e.seq as entry_seq, (p.place - 1)::integer as position, p.account, p.asset, p.units, p.balance_after, e.kind
  from entries e cross join lateral unnest(e.accounts, e.assets, e.amounts, e.balances_after) with ordinality
    as p (account, asset, units, balance_after, place);
