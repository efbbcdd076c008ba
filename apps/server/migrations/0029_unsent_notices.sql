-- Notices that commands of the writer decided, until they are numbered and sent: one row for all notices of a command.
-- The writer does not send them, because it would wait for every other sender of notices.
create table unsent_notices (
  id text primary key,
  -- A JSON array of drafts.
  drafts text not null,
  decided_at timestamptz not null
);
