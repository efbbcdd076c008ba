-- contract: needs 0.2.0
-- The last stop of repaying gets its own row, so that a restore has it: the row is stored with its line. Written by the ledger's
-- writer only. No release has the two columns that go.
create table repayment_stops (
  id text primary key,
  stopped_from timestamptz not null,
  stopped_until timestamptz
);
insert into repayment_stops (id, stopped_from, stopped_until)
select id, stopped_from, stopped_until from header_times where stopped_from is not null;
alter table header_times drop column stopped_from, drop column stopped_until;
