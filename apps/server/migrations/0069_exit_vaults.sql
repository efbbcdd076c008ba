-- The vault that the exit was requested at, in lower case: the ledger can have left it since. null in rows that an earlier version wrote.
alter table exits add column vault text;
update exits set vault = (select vault from watched_vaults order by since desc limit 1);
