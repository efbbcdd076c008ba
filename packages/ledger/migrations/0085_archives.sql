-- The oldest partitions can be written to files and dropped. These two tables say what was in them.

-- One row for each archive. Together they are the entries before the first one in `entries`, without a gap.
create table ledger_archives (
  first_seq bigint primary key check (first_seq > 0),
  last_seq bigint not null unique check (last_seq >= first_seq),
  entries bigint not null check (entries = last_seq - first_seq + 1),
  postings bigint not null,
  -- Of the entry before the first one, and of the last one.
  hash_before bytea not null check (length(hash_before) = 32),
  hash bytea not null check (length(hash) = 32),
  -- The hash of entry 1, which tells this ledger from every other.
  origin bytea not null check (length(origin) = 32),
  last_at timestamptz not null,
  -- The name of the file, without its folder.
  file text not null,
  detached_at timestamptz not null default now()
);

-- What each account had of each asset after the last archived entry. An account without a row has no archived entry.
create table archived_balances (
  account text not null,
  asset text not null,
  units numeric(78, 0) not null,
  primary key (account, asset),
  constraint archived_balance_not_negative check (units >= 0 or account = 'vault')
);

create function add_ledger_partition(first bigint, after bigint) returns void language plpgsql as $$
declare
  parent text;
  key text;
  name text;
begin
  foreach parent in array array['entries', 'owner_postings'] loop
    name := parent || '_' || first;
    key := case parent when 'entries' then 'seq' else 'entry_seq' end;
    if to_regclass(name) is null then
      execute format('create table %I (like %I including all)', name, parent);
      -- The attachment then finds the bounds true without a look at any row.
      execute format('alter table %I add constraint %I check (%I >= %s and %I < %s)',
        name, name || '_bounds', key, first, key, after);
      execute format('alter table %I attach partition %I for values from (%s) to (%s)', parent, name, first, after);
      execute format('alter table %I drop constraint %I', name, name || '_bounds');
      execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
        name || '_kept', name);
    end if;
  end loop;
end $$;

-- As before, from the first entry that no archive has.
create or replace function add_ledger_partitions(size bigint) returns void language plpgsql as $$
declare
  head bigint := coalesce((select max(seq) from entries), 0);
  first bigint := coalesce((select max(last_seq) + 1 from ledger_archives), 0);
begin
  while first <= (head / size + 2) * size loop
    perform add_ledger_partition(first, first + size);
    first := first + size;
  end loop;
end $$;
