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

create table entries (
  seq bigint primary key check (seq > 0),
  kind text not null,
  at timestamptz not null,
  reference text not null,
  posting_count integer not null check (posting_count >= 2),
  -- sha256 over the previous entry's hash and this entry's text (packages/ledger/src/entry-hash.ts).
  hash bytea not null check (length(hash) = 32)
);

create table postings (
  -- No foreign key: it would look up the entry of each posting by itself, a third of what a swap costs in the database.
  -- `refuse_unbalanced` sees all postings of a statement at once and says the same.
  entry_seq bigint not null,
  position integer not null check (position >= 0),
  account text not null,
  asset text not null,
  units numeric(78, 0) not null check (units <> 0),
  balance_after numeric(78, 0) not null,
  primary key (entry_seq, position),
  constraint balance_after_not_negative check (balance_after >= 0 or account = 'vault')
);
create index postings_by_account on postings (account, entry_seq desc);

create table balances (
  account text not null,
  asset text not null,
  units numeric(78, 0) not null,
  primary key (account, asset),
  -- Only the outside world owes: `vault` stands at minus what is in custody.
  constraint balance_not_negative check (units >= 0 or account = 'vault')
);

create table stored_answers (
  owner text not null,
  key text not null,
  kind text not null,
  payload_hash bytea not null,
  outcome json not null,
  at timestamptz not null,
  primary key (owner, key)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'append_only: % of % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse_change();
create trigger postings_append_only before update or delete or truncate on postings
  for each statement execute function refuse_change();

-- All postings of an entry arrive in one statement: its count must be the entry's, and each asset must sum to zero.
create function refuse_unbalanced() returns trigger language plpgsql as $$
declare
  bad bigint;
begin
  select entry_seq into bad from (
    select entry_seq, asset, sum(units) as total from added group by entry_seq, asset
  ) sums where total <> 0 limit 1;
  if bad is not null then
    raise exception 'unbalanced: entry % does not sum to zero', bad using errcode = 'check_violation';
  end if;
  -- Positions are unique, so these two together say: all of them, now, and none later. An entry that does not exist says
  -- nothing of how many it has, so none is right.
  select a.entry_seq into bad from (
    select entry_seq, count(*) as count, max(position) as last from added group by entry_seq
  ) a left join entries e on e.seq = a.entry_seq
    where a.count is distinct from e.posting_count or a.last <> e.posting_count - 1 limit 1;
  if bad is not null then
    raise exception 'unbalanced: entry % has not the postings it says', bad using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger postings_balanced after insert on postings
  referencing new table as added for each statement execute function refuse_unbalanced();

-- An entry without postings would be a hole in the chain: at commit each entry must have its postings.
create function refuse_hollow() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from postings where entry_seq = new.seq and position = new.posting_count - 1) then
    raise exception 'unbalanced: entry % has no postings', new.seq using errcode = 'check_violation';
  end if;
  return null;
end $$;

create constraint trigger entries_have_postings after insert on entries
  deferrable initially deferred for each row execute function refuse_hollow();
