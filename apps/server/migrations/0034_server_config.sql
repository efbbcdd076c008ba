-- A hash of each key of a server's configuration, by its name: the servers of one ledger compare them.
alter table servers add column config jsonb not null default '{}';
