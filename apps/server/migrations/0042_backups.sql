-- The last backup of the database, and the last restore that was tried. `clearwell-backup` writes them, for the metrics.
create table backups (
  kind text primary key check (kind in ('backup', 'restore')),
  finished_at timestamptz not null,
  -- The name of the backup, or the last entry that the restored ledger had.
  label text not null
);
