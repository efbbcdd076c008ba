-- A day without a root or a seed in time divides nothing, and `treasury` pays into `rewards` what it would have divided.
alter table box_days add column void_reason text check (void_reason in ('no_root', 'no_seed'));
alter table box_days add column block_not_before timestamptz;

-- What `treasury` lacked for it. Its next income pays this first. The row's id is the asset.
create table treasury_debts (
  id text primary key,
  units numeric(78, 0) not null check (units >= 0)
);

-- When the rewards of a divided day expire.
alter table box_days add column claim_until timestamptz;
update box_days set claim_until = divided_at + interval '30 days' where divided_at is not null;
