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
