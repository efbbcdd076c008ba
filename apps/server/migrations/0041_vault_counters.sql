-- The vault's events that the ledger has booked, summed. Written by the ledger's writer only, in the command that books an event.
create table vault_counters (
  -- The vault, the account and the asset: 'vault:account:asset'.
  id text primary key,
  -- In lower case.
  vault text not null,
  -- In lower case; '*' for the sum of all accounts.
  account text not null,
  asset text not null,
  deposited numeric(78, 0) not null check (deposited >= 0),
  paid numeric(78, 0) not null check (paid >= 0)
);

-- The vault whose counters contain the deposit. Null for a plain transfer of a token, for a deposit into a replaced vault, and for
-- deposits of before.
alter table deposits add column counted_by text;
