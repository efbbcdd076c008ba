-- Upgrades that are announced to users. Written by the ledger's writer.
create table planned_upgrades (
  id text primary key,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  text_en text not null,
  text_zh_hk text not null,
  announced_at timestamptz not null,
  withdrawn_at timestamptz
);
create index planned_upgrades_to_come on planned_upgrades (ends_at) where withdrawn_at is null;
