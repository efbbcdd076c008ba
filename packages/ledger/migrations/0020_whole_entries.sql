-- An entry is one row with its postings in it: whole by its nature, and half the work of a row for each posting (decision
-- 0005). What it says is checked once for all entries of a statement.
-- A server of before may be writing: what it commits meanwhile must be copied too.
lock table writer_lease, entries, postings in access exclusive mode;
create table whole_entries (
  seq bigint primary key check (seq > 0),
  kind text not null,
  at timestamptz not null,
  reference text not null,
  -- sha256 over the previous entry's hash and this entry's text (packages/ledger/src/entry-hash.ts).
  hash bytea not null check (length(hash) = 32),
  -- One place in each of these for each posting.
  accounts text[] not null,
  assets text[] not null,
  amounts numeric(78, 0)[] not null,
  balances_after numeric(78, 0)[] not null,
  constraint entry_is_whole check (
    cardinality(accounts) >= 2 and cardinality(assets) = cardinality(accounts)
    and cardinality(amounts) = cardinality(accounts) and cardinality(balances_after) = cardinality(accounts)
  )
);

-- The same postings once more, for those accounts that are read one by one: the users' and the vault's. The others (pools,
-- revenue) take part in every swap and are only ever read as part of their entries.
create table owner_postings (
  entry_seq bigint not null,
  position integer not null,
  account text not null,
  asset text not null,
  units numeric(78, 0) not null,
  balance_after numeric(78, 0) not null,
  -- What an account did, in order, and what it held of an asset at a time.
  primary key (account, asset, entry_seq, position)
);

create function check_entries() returns trigger language plpgsql as $$
declare
  bad record;
begin
  select e.seq, p.asset, sum(p.units) as total into bad
    from added e cross join lateral unnest(e.accounts, e.assets, e.amounts, e.balances_after)
      as p (account, asset, units, balance_after)
    group by e.seq, p.asset
    -- A null counts as wrong, wherever it stands.
    having sum(p.units) <> 0 or bool_or((
      p.account is not null and p.asset is not null and p.units <> 0 and (p.balance_after >= 0 or p.account = 'vault')
    ) is not true)
    limit 1;
  if found then
    raise exception 'unbalanced: entry % does not sum to zero in %, or takes an account below it', bad.seq, bad.asset
      using errcode = 'check_violation';
  end if;
  insert into owner_postings (entry_seq, position, account, asset, units, balance_after)
    select e.seq, p.place - 1, p.account, p.asset, p.units, p.balance_after
    from added e cross join lateral unnest(e.accounts, e.assets, e.amounts, e.balances_after) with ordinality
      as p (account, asset, units, balance_after, place)
    where p.account = 'vault' or p.account like 'user:%';
  return null;
end $$;
create trigger entries_checked after insert on whole_entries
  referencing new table as added for each statement execute function check_entries();

insert into whole_entries (seq, kind, at, reference, hash, accounts, assets, amounts, balances_after)
  select e.seq, e.kind, e.at, e.reference, e.hash, p.accounts, p.assets, p.amounts, p.balances_after
  from entries e join (
    select entry_seq, array_agg(account order by position) as accounts, array_agg(asset order by position) as assets,
      array_agg(units order by position) as amounts, array_agg(balance_after order by position) as balances_after
    from postings group by entry_seq
  ) p on p.entry_seq = e.seq
  order by e.seq;

drop table postings;
drop table entries;
drop function refuse_unbalanced();
drop function refuse_hollow();
alter table whole_entries rename to entries;

-- Entries never go back in time, so a time is a place in their order.
create index entries_by_time on entries (at desc, seq desc);

create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse_change();
create trigger owner_postings_append_only before update or delete or truncate on owner_postings
  for each statement execute function refuse_change();

-- Every posting, as reports and audits read them.
create view postings as
  select e.seq as entry_seq, (p.place - 1)::integer as position, p.account, p.asset, p.units, p.balance_after
  from entries e cross join lateral unnest(e.accounts, e.assets, e.amounts, e.balances_after) with ordinality
    as p (account, asset, units, balance_after, place);
