-- The place and the salt of each account in the trees of balances. The writer gives them in the command that first books something
-- of the account, and never changes them.
create table proof_accounts (
  -- In lower case.
  id text primary key,
  place integer not null unique check (place between 0 and 1048575),
  -- 32 bytes in hex, with 0x.
  salt text not null unique check (length(salt) = 66),
  -- Grows with each account whose place or counters change, so that those since a header are found.
  change bigint not null
);
create index proof_accounts_by_change on proof_accounts (change);

-- One row for each place that is taken.
create table proof_places (
  id text primary key,
  account text not null
);

create table proof_changes (
  id text primary key,
  last bigint not null
);

-- Accounts that held something before. `gen_random_uuid` draws from the system's secure source: 122 bits, twice for each salt.
do $$
declare
  accounts text[] := array(
    select account from (
      select split_part(account, ':', 2) as account from balances where account like 'user:%'
      union select account from vault_counters where account <> '*'
    ) known order by account
  );
begin
  if cardinality(accounts) = 0 then return; end if;
  insert into proof_accounts (id, place, salt, change)
  select known.account, free.place,
    '0x' || encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'), known.number
  from unnest(accounts) with ordinality as known (account, number)
  join (
    select place, row_number() over (order by gen_random_uuid()) as number from generate_series(0, 1048575) as place
  ) free using (number);
  insert into proof_places (id, account) select place::text, id from proof_accounts;
  insert into proof_changes (id, last) values ('last', cardinality(accounts));
end $$;
