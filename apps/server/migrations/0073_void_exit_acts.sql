-- A reorganisation removed it from the chain: the operator moved the watcher back before its block, and it was not read again.
alter table exit_acts add column is_void boolean not null default false;
