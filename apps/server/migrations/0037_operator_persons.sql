-- The persons of the operator, whose wallets sign every change. Written by the ledger's writer only.
create table operator_persons (
  -- The wallet's address in lower case.
  id text primary key,
  name text not null,
  -- With commas between them.
  roles text not null,
  since timestamptz not null,
  ended_at timestamptz
);

-- Requests of an earlier version have no signatures: they are closed, not executed.
alter table operator_requests
  add column chain_id text not null default '',
  add column vault text not null default '',
  add column expires_at timestamptz not null default now(),
  add column outcome text check (outcome in ('done', 'refused', 'expired')),
  add column result text;
alter table operator_requests
  alter column chain_id drop default,
  alter column vault drop default,
  alter column expires_at drop default;
update operator_requests set done_at = now(), outcome = 'expired', result = 'It has no signature.' where done_at is null;
create index operator_requests_done on operator_requests (done_at) where done_at is not null;

-- Signatures of requests. The command line adds them; the leader recovers who signed.
create table operator_signatures (
  request_id text not null references operator_requests on delete cascade,
  signature text not null check (length(signature) between 4 and 200),
  signed_at timestamptz not null,
  primary key (request_id, signature)
);

-- Who signed a change, the replaced and the new value, and what is needed to verify the signatures.
alter table operator_actions
  add column person text,
  add column second_person text,
  add column role text,
  add column value_before text,
  add column value_after text,
  add column chain_id text,
  add column vault text,
  add column expires_at timestamptz,
  add column signatures text;

-- Suspending and resuming a pool is an action like the others.
drop table pool_requests;
