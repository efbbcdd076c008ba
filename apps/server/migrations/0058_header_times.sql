-- When the newest signed header was made: two hours later trading stops. Written by the ledger's writer only.
create table header_times (
  id text primary key,
  made_at timestamptz
);
insert into header_times (id, made_at)
select 'last', max(made_at) from proof_header_bodies where root_signature is not null having max(made_at) is not null;
