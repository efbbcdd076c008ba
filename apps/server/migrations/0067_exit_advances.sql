-- Advances of insurance and treasury to accounts that the vault has paid more than the ledger had. Written by the ledger's writer only.
create table exit_advances (
  -- Account and asset.
  id text primary key,
  user_id text not null,
  asset text not null,
  -- What the account still owes to each.
  to_insurance numeric(78, 0) not null check (to_insurance >= 0),
  to_treasury numeric(78, 0) not null check (to_treasury >= 0),
  changed_at timestamptz not null
);
create index exit_advances_by_user on exit_advances (user_id);

-- The account owes an advance: it uses nothing before that is taken back, even when its exit is over.
alter table exits add column owes boolean not null default false;
