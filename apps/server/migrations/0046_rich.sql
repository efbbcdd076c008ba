-- The upgrade hub. Written by the ledger's writer.
create table rich_accounts (
  -- The user. A row exists from the day on which a UID is linked.
  id text primary key references users (id),
  uid text not null unique,
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
  linked_at timestamptz not null
);
create index rich_accounts_to_step_down on rich_accounts (steps_down_at) where steps_down_at is not null;

-- Each UID belongs to one account, permanently.
create table rich_uids (
  -- The UID.
  id text primary key check (id ~ '^[0-9]{6,20}$'),
  user_id text not null unique references users (id)
);

create table rich_requests (
  id text primary key,
  user_id text not null references users (id),
  -- The requester's inviter.
  parent_id text references users (id),
  star integer not null check (star between 1 and 9),
  status text not null check (status in ('Requested', 'Passed', 'Withdrawn')),
  -- The account that can approve the request, or that approved it. null: the system.
  asked_id text references users (id),
  created_at timestamptz not null,
  -- When an open request moves to the next ancestor.
  passes_up_at timestamptz,
  passed_at timestamptz,
  -- How many times the request moved to another ancestor.
  moves integer not null,
  -- False until the users concerned were notified.
  is_announced boolean not null,
  check ((status = 'Requested') = (passes_up_at is not null)),
  check ((status = 'Passed') = (passed_at is not null)),
  check (status <> 'Requested' or asked_id is not null),
  check (asked_id <> user_id)
);
create unique index rich_requests_open on rich_requests (user_id) where status = 'Requested';
create index rich_requests_by_user on rich_requests (user_id, created_at desc, id desc) where status <> 'Withdrawn';
create index rich_requests_by_parent on rich_requests (parent_id, created_at desc, id desc) where status <> 'Withdrawn';
create index rich_requests_by_asked on rich_requests (asked_id, created_at desc, id desc) where status <> 'Withdrawn';
create index rich_requests_due on rich_requests (passes_up_at) where status = 'Requested';
create index rich_requests_to_announce on rich_requests (id) where not is_announced;

-- One row: the sums over all accounts with a star.
create table rich_program (
  id text primary key,
  -- Sum of all releases, in base units for each unit of weight.
  release_index numeric(78, 0) not null,
  weight numeric(78, 0) not null check (weight >= 0),
  accounts integer not null check (accounts >= 0)
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
  accounts integer not null
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
