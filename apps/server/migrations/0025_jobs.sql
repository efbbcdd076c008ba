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
