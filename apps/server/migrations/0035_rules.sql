-- Rules that can change: fees, opening times, limits. Written by the ledger's writer.
create table rules (
  -- The rule's key.
  id text primary key,
  -- The value in force and those that are announced, as JSON, each with its start.
  schedule text not null,
  changes integer not null check (changes >= 0)
);

-- The public list of changes.
create table rule_changes (
  -- <key>-<number>
  id text primary key,
  rule text not null references rules (id),
  old_value text not null,
  new_value text not null,
  announced_at timestamptz not null,
  starts_at timestamptz not null check (starts_at >= announced_at),
  withdrawn_at timestamptz
);
create index rule_changes_by_time on rule_changes (announced_at desc, id desc);
