-- Accounts that the operator has frozen. Written by the ledger's writer only, which refuses their commands until `ends_at`.
create table frozen_accounts (
  -- The account's address in lower case.
  id text primary key,
  frozen_at timestamptz not null,
  ends_at timestamptz not null,
  -- Shown to the user.
  reason text not null
);
