-- The custody ledger: append only, zero-sum per asset, never negative. The database refuses what breaks that, whoever
-- asks: these rules hold for the writer, for an operator's console and for a mistake alike.

create table writer_lease (
  id integer primary key check (id = 1),
  -- Grows with each holder. A writer whose fence is no longer the row's cannot commit.
  fence bigint not null,
  -- Grows with each batch. After a lost connection it tells whether the last commit happened.
  batch bigint not null,
  holder text,
  renewed_at timestamptz not null
);
insert into writer_lease (id, fence, batch, holder, renewed_at) values (1, 0, 0, null, 'epoch');

-- Batches are sent one after the other without waiting for the answer of the one before, its commit among them. So a batch
-- that must not be written has to fail by itself: when the lease is another's, or when the batch before it failed.
create function count_batch(held_fence bigint, batches_before bigint) returns void language plpgsql as $$
begin
  update writer_lease set batch = batch + 1, renewed_at = clock_timestamp()
    where id = 1 and fence = held_fence and batch = batches_before;
  if not found then
    -- A class of our own: `packages/ledger/src/lease.ts` knows it.
    raise exception 'lease_lost: the writer lease is held by another' using errcode = 'CW001';
  end if;
end $$;

-- An entry is one row with its postings in it: whole by its nature, and half the work of a row for each posting (decision
-- 0005).
create table entries (
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
) partition by range (seq);
-- Entries never go back in time, so a time is a place in their order.
create index entries_by_time on entries (at desc, seq desc);

-- The same postings once more, for those accounts that are read one by one: the users' and the vault's. The others (pools,
-- revenue) take part in every swap and are only ever read as part of their entries. The writer copies them in the statement
-- that inserts their entries.
create table owner_postings (
  entry_seq bigint not null,
  position integer not null,
  account text not null,
  asset text not null,
  units numeric(78, 0) not null,
  balance_after numeric(78, 0) not null,
  kind text not null,
  -- What an account did, in order, and what it held of an asset at a time.
  primary key (account, asset, entry_seq, position)
) partition by range (entry_seq);
-- A user's history is filtered by kind. Swaps are left out: nearly all entries are swaps, so they are found in the order of
-- the account, and an index entry for each would cost a twentieth of the swap rate (decision 0019).
create index owner_postings_by_kind on owner_postings (account, kind, asset, entry_seq, position) where kind <> 'swap';

-- Each entry alone: what an entry says never depends on another one. A null counts as wrong, wherever it stands.
create function check_entry() returns trigger language plpgsql as $$
declare
  summed text[] := '{}';
  sums numeric[] := '{}';
  place integer;
begin
  if cardinality(new.amounts) is distinct from cardinality(new.accounts)
    or cardinality(new.balances_after) is distinct from cardinality(new.accounts) then
    return new; -- `entry_is_whole` refuses it.
  end if;
  for i in 1 .. cardinality(new.accounts) loop
    if (
      new.accounts[i] is not null and new.assets[i] is not null and new.amounts[i] <> 0
      and (new.balances_after[i] >= 0 or new.accounts[i] = 'vault')
    ) is not true then
      raise exception 'unbalanced: entry % takes an account below zero, or lacks a part of posting %', new.seq, i
        using errcode = 'check_violation';
    end if;
    place := array_position(summed, new.assets[i]);
    if place is null then
      summed := summed || new.assets[i];
      sums := sums || new.amounts[i];
    else
      sums[place] := sums[place] + new.amounts[i];
    end if;
  end loop;
  if 0 <> any (sums) then
    raise exception 'unbalanced: entry % does not sum to zero for each asset', new.seq using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger entries_checked before insert on entries for each row execute function check_entry();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'append_only: % of % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger entries_append_only before update or delete on entries for each row execute function refuse_change();
create trigger entries_kept before truncate on entries for each statement execute function refuse_change();
create trigger owner_postings_append_only before update or delete on owner_postings
  for each row execute function refuse_change();
create trigger owner_postings_kept before truncate on owner_postings for each statement execute function refuse_change();

-- Entries and their copies are stored in partitions of so many entries each: an index stays small enough for memory where
-- entries are added, and a partition that is full never changes again. The last two partitions are always empty. The leader
-- calls this every ten minutes (packages/ledger/src/partitions.ts). A table that is attached locks out no reader or writer.
create function add_ledger_partitions(size bigint) returns void language plpgsql as $$
declare
  head bigint := coalesce((select max(seq) from entries), 0);
  first bigint := 0;
  parent text;
  key text;
  name text;
begin
  while first <= (head / size + 2) * size loop
    foreach parent in array array['entries', 'owner_postings'] loop
      name := parent || '_' || first;
      key := case parent when 'entries' then 'seq' else 'entry_seq' end;
      if to_regclass(name) is null then
        execute format('create table %I (like %I including all)', name, parent);
        -- The attachment then finds the bounds true without a look at any row.
        execute format('alter table %I add constraint %I check (%I >= %s and %I < %s)',
          name, name || '_bounds', key, first, key, first + size);
        execute format('alter table %I attach partition %I for values from (%s) to (%s)', parent, name, first, first + size);
        execute format('alter table %I drop constraint %I', name, name || '_bounds');
        execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
          name || '_kept', name);
      end if;
    end loop;
    first := first + size;
  end loop;
end $$;

create table balances (
  account text not null,
  asset text not null,
  units numeric(78, 0) not null,
  primary key (account, asset),
  -- Only the outside world owes: `vault` stands at minus what is in custody.
  constraint balance_not_negative check (units >= 0 or account = 'vault')
);

-- The outcome of each command, so that the same key never executes twice.
create table command_outcomes (
  owner text not null,
  key text not null,
  kind text not null,
  payload_hash bytea not null,
  outcome json not null,
  at timestamptz not null,
  primary key (owner, key)
);

-- Every posting, as reports and audits read them.
create view postings as
  select e.seq as entry_seq, (p.place - 1)::integer as position, p.account, p.asset, p.units, p.balance_after, e.kind
  from entries e cross join lateral unnest(e.accounts, e.assets, e.amounts, e.balances_after) with ordinality
    as p (account, asset, units, balance_after, place);

select add_ledger_partitions(20000000);
