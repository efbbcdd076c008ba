-- The versions of the operator's terms that users accepted. Written by the ledger's writer.
create table accepted_terms (
  -- The user and the version.
  id text primary key,
  user_id text not null,
  version text not null,
  accepted_at timestamptz not null
);
create index accepted_terms_by_user on accepted_terms (user_id, accepted_at);
