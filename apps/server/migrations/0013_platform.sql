-- Work, servers, operators, alarms and notices: what every feature uses.

-- Where the other servers of this ledger reach each one. The one that holds the writer's lease is found by its name there.
create table servers (
  url text primary key,
  -- As in `writer_lease.holder`.
  holder text not null unique,
  started_at timestamptz not null default now()
);

-- Work that is due at a time. The leader runs it in steps, and each step commits its effect together with its row here.
create table jobs (
  name text not null,
  -- Tells several runs of one job apart; empty for a job that recurs.
  key text not null,
  -- What a scheduled run was given.
  input jsonb,
  -- The moment that the current run is for.
  due_at timestamptz not null,
  -- What the next step continues from; null before the first step of a run.
  state jsonb,
  -- How many steps were committed, in all runs together.
  step integer not null default 0,
  -- Failures of the current step, one after another. It is tried again at retry_at.
  attempts integer not null default 0,
  retry_at timestamptz,
  -- Stays after a later success, when attempts is 0 again.
  last_error text,
  last_run_at timestamptz,
  -- Of a job that does not recur.
  finished_at timestamptz,
  primary key (name, key)
);
create index jobs_due on jobs (coalesce(retry_at, due_at)) where finished_at is null;
create index jobs_finished on jobs (finished_at) where finished_at is not null;

-- How far each reader of the ledger is, as its last entry.
create table ledger_followers (
  name text primary key,
  seq bigint not null
);

-- What `treasury` lacked when it had to pay. Its next income pays this first. The row's id is the asset.
create table treasury_debts (
  id text primary key,
  units numeric(78, 0) not null check (units >= 0)
);

-- Switches that stop what could do harm while something is wrong. Written by the ledger's writer only.
create table breakers (
  id text primary key,
  -- Null: everything goes on.
  stopped_at timestamptz,
  -- One word for the clients, and one sentence for the operator.
  reason text,
  detail text
);

-- Each opening and closing, for good.
create table breaker_events (
  id text primary key,
  breaker text not null,
  kind text not null check (kind in ('stopped', 'released')),
  reason text not null,
  detail text not null,
  at timestamptz not null
);
create index breaker_events_by_time on breaker_events (breaker, at desc, id desc);
-- By row: what the writer writes is an upsert, which counts as an update of its statement.
create trigger breaker_events_append_only before update or delete on breaker_events
  for each row execute function refuse_change();
create trigger breaker_events_kept before truncate on breaker_events
  for each statement execute function refuse_change();

-- Requests of the operator's command line. The command line adds a row; the writer writes it again with `done_at`.
create table operator_requests (
  id text primary key,
  kind text not null,
  -- JSON: the input of the action.
  payload text not null,
  reason text not null,
  asked_at timestamptz not null,
  done_at timestamptz
);
create index operator_requests_open on operator_requests (asked_at, id) where done_at is null;

-- The audit log: every change that an operator made, with the reason. Written by the ledger's writer only.
create table operator_actions (
  id text primary key,
  kind text not null,
  payload text not null,
  reason text not null,
  -- One sentence.
  result text not null,
  at timestamptz not null
);
create index operator_actions_by_time on operator_actions (at desc, id desc);
-- By row: the writer's upsert counts as an update of its statement.
create trigger operator_actions_append_only before update or delete on operator_actions
  for each row execute function refuse_change();
create trigger operator_actions_kept before truncate on operator_actions
  for each statement execute function refuse_change();

-- What operators must know, each with all its repetitions. Servers add to it; rows that are not raised any more are deleted.
create table alarms (
  kind text not null,
  -- The message without figures: repetitions differ in block numbers and amounts.
  subject text not null,
  -- The latest message.
  message text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  count bigint not null check (count > 0),
  primary key (kind, subject)
);
create index alarms_by_time on alarms (last_at desc);

-- The number of the last delivery. A row and not a sequence: whoever takes numbers holds it until the commit, so nobody
-- sees a number before all lower ones.
create table last_notice (
  id integer primary key check (id = 1),
  notice bigint not null
);
insert into last_notice (id, notice) values (1, 0);

-- What users are notified of.
create table notices (
  -- Its number. Notices are numbered in the order of their commits, so a server that has seen one has seen all before it.
  id bigint primary key,
  user_id text not null,
  kind text not null,
  -- What the notice is about: the same notice is sent once.
  key text not null,
  params jsonb not null,
  -- A path of the app.
  link text,
  created_at timestamptz not null,
  read_at timestamptz,
  unique (user_id, kind, key)
);
create index notices_by_user on notices (user_id, id desc);
create index notices_unread on notices (user_id, kind) where read_at is null;
create index notices_read on notices (read_at) where read_at is not null;
create index notices_by_kind on notices (user_id, kind, id desc);

-- Notices that commands of the writer decided, until they are numbered and sent: one row for all notices of a command.
-- The writer does not send them, because it would wait for every other sender of notices.
create table unsent_notices (
  id text primary key,
  -- A JSON array of drafts.
  drafts text not null,
  decided_at timestamptz not null
);
