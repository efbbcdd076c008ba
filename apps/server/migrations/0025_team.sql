-- Changes that a user is notified of. Each is deleted together with sending its notice.
create table team_events (
  id text primary key,
  user_id text not null references users (id),
  kind text not null,
  lead_id text,
  level integer,
  at timestamptz not null
);
create index team_events_by_time on team_events (at, id);

-- Referral shares that each user ever received. Derived from the ledger.
create table referral_totals (
  user_id text not null references users (id),
  asset text not null,
  units numeric(78, 0) not null,
  shares integer not null,
  primary key (user_id, asset)
);
