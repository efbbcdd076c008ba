-- The upgrade hub. Written by the ledger's writer.
create table rich_accounts (
  -- The user. A row exists from the day on which a UID is linked.
  id text primary key references users (id),
  uid text unique,
  name text not null,
  star integer not null check (star between 0 and 9),
  -- Sum of the releases per unit of weight up to the account's last change, and what was earned up to then.
  settled_index numeric(78, 0) not null,
  to_collect numeric(78, 0) not null check (to_collect >= 0),
  collected numeric(78, 0) not null,
  -- The latest request that was not withdrawn.
  request_id text,
  -- The end of the notice, while the user steps down.
  steps_down_at timestamptz,
  linked_at timestamptz not null,
  -- Weight that counts: up to the day of the last rise, or on every day without one.
  weight numeric(78, 0) not null default 0 check (weight >= 0),
  -- The day of the last rise: the star's whole weight counts from the next day on.
  raised_on text,
  -- Parents see every child once, the one with the latest request or link first.
  parent_id text,
  listed_at timestamptz not null
);
create index rich_accounts_to_step_down on rich_accounts (steps_down_at) where steps_down_at is not null;
create index rich_accounts_by_parent on rich_accounts (parent_id, listed_at desc, id desc);

-- Each UID belongs to one account, permanently.
create table rich_uids (
  -- The UID.
  id text primary key check (id ~ '^[0-9]{6,20}$'),
  user_id text unique references users (id)
);

create table rich_requests (
  id text primary key,
  user_id text not null references users (id),
  -- The requester's inviter.
  parent_id text references users (id),
  star integer not null check (star between 1 and 9),
  status text not null check (status in ('Requested', 'Passed', 'Withdrawn')),
  created_at timestamptz not null,
  -- When the system passes an open request.
  passes_at timestamptz,
  passed_at timestamptz,
  -- False until the users concerned were notified.
  is_announced boolean not null,
  passed_by text check (passed_by in ('parent', 'system')),
  check ((status = 'Requested') = (passes_at is not null)),
  check ((status = 'Passed') = (passed_at is not null)),
  check ((status = 'Passed') = (passed_by is not null)),
  check (status <> 'Requested' or parent_id is not null)
);
create unique index rich_requests_open on rich_requests (user_id) where status = 'Requested';
create index rich_requests_due on rich_requests (passes_at) where status = 'Requested';
create index rich_requests_to_announce on rich_requests (id) where not is_announced;
-- A user's own list shows withdrawn requests too.
create index rich_requests_by_user on rich_requests (user_id, created_at desc, id desc);

-- One row: the sums over all accounts with a star.
create table rich_program (
  id text primary key,
  -- Sum of all releases, in base units for each unit of weight.
  release_index numeric(78, 0) not null,
  weight numeric(78, 0) not null check (weight >= 0),
  accounts integer not null check (accounts >= 0),
  -- Only stars that were held for a whole day in Hong Kong count in its release. So the weight of a day and the weight of the
  -- days after it are two figures, and each release stores the sum up to it: an account looks up where its new weight begins.
  -- Weight from the next day on; `weight` is the one of the present day.
  next_weight numeric(78, 0) not null default 0 check (next_weight >= 0),
  -- The last day that was released.
  released_day text
);

-- One row for each day: its release can be computed again from it.
create table rich_releases (
  -- The day in Hong Kong.
  id text primary key,
  released_at timestamptz not null,
  remaining numeric(78, 0) not null,
  released numeric(78, 0) not null,
  per_weight numeric(78, 0) not null,
  weight numeric(78, 0) not null,
  accounts integer not null,
  -- Sum of all releases up to this one, in base units for each unit of weight.
  index_after numeric(78, 0) not null
);

-- Collected RT of a user on a day in Hong Kong.
create table rich_collected (
  -- <user>:<day>
  id text primary key,
  user_id text not null references users (id),
  day text not null,
  units numeric(78, 0) not null
);
create index rich_collected_by_user on rich_collected (user_id, day desc);
