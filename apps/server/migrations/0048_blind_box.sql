-- Blind boxes. The writer writes the first five tables, the job that closes days the others.

-- One box for each click. Final.
create table boxes (
  id text primary key check (id ~ '^[0-9a-f]{32}$'),
  user_id text not null references users (id),
  day text not null,
  level integer not null check (level between 0 and 5),
  -- Consecutive days with a click before this one.
  streak integer not null check (streak >= 0),
  created_at timestamptz not null
);
create unique index boxes_once_a_day on boxes (user_id, day);
-- Without the database's language, so that the order is that of the bytes, as in the tree of the day.
create index boxes_by_day on boxes (day, id collate "C");
create index boxes_by_click on boxes (created_at desc, id desc);

-- The latest click of each user.
create table box_streaks (
  id text primary key references users (id),
  day text not null,
  streak integer not null,
  box_id text not null references boxes (id)
);

-- The clicks of each day and their power before the draw, in thousandths: a sum of a million boxes is one row.
create table box_tallies (
  id text primary key,
  boxes integer not null,
  power numeric(78, 0) not null
);

-- Days that take no more clicks.
create table box_closures (
  id text primary key,
  closed_at timestamptz not null
);

-- Rewards that were claimed, or returned after 30 days. Each box once. Final.
create table box_settlements (
  id text primary key references boxes (id),
  outcome text not null check (outcome in ('claimed', 'expired')),
  settled_at timestamptz not null
);

create table box_days (
  day text primary key,
  phase text not null default 'open' check (phase in ('open', 'closed', 'rooted', 'mined', 'seeded', 'drawn', 'shared', 'divided')),
  commitment text check (commitment ~ '^[0-9a-f]{64}$'),
  committed_at timestamptz,
  rule text check (rule in ('table', 'flat')),
  ledger_seq bigint,
  entry_hash text,
  -- The tree while it grows: its perfect subtrees, and the id of the last box in it.
  peaks text[] not null default '{}',
  box_count integer not null default 0,
  -- The last box of the present phase.
  cursor_id text not null default '',
  tree text,
  boxes_root text,
  root_at timestamptz,
  block_number bigint,
  block_hash text,
  block_time timestamptz,
  previous_block_time timestamptz,
  -- Null until it is published. The secret itself is never stored.
  seed text,
  seed_at timestamptz,
  total_power numeric(78, 0) not null default 0,
  divided_at timestamptz,
  check ((commitment is null) = (committed_at is null)),
  check ((boxes_root is null) = (root_at is null)),
  check ((seed is null) = (seed_at is null)),
  check (seed is null or block_hash is not null)
);

-- The pool of a day in each asset.
create table box_pools (
  day text not null references box_days (day),
  asset text not null,
  rewards numeric(78, 0) not null,
  pool numeric(78, 0) not null,
  shared numeric(78, 0) not null default 0 check (shared <= pool),
  primary key (day, asset)
);

create table box_draws (
  box_id text primary key references boxes (id),
  -- Null where the day draws ×1.
  ticket integer check (ticket between 0 and 99),
  draw integer not null check (draw in (1, 2, 3, 5, 10)),
  -- In thousandths.
  power numeric(78, 0) not null check (power > 0)
);

create table box_shares (
  box_id text not null references boxes (id),
  asset text not null,
  units numeric(78, 0) not null check (units > 0),
  primary key (box_id, asset)
);

-- The tree of each run of boxes that one step added to the tree of the day, so that the path of a box needs one run.
create table box_subtrees (
  day text not null references box_days (day),
  place integer not null,
  hash text not null,
  last_id text not null,
  primary key (day, place)
);
create index box_subtrees_by_box on box_subtrees (day, last_id collate "C");

-- Work on the boxes of a divided day, one box after another.
create table box_rounds (
  day text not null references box_days (day),
  kind text not null check (kind in ('announce', 'remind', 'expire')),
  due_at timestamptz not null,
  -- The last box that is done.
  cursor_id text not null default '',
  done_at timestamptz,
  primary key (day, kind)
);
create index box_rounds_due on box_rounds (due_at) where done_at is null;

-- Changes of `rewards` within a day, by asset and kind of entry.
create table box_sources (
  day text not null,
  asset text not null,
  kind text not null,
  units numeric(78, 0) not null,
  entries integer not null,
  primary key (day, asset, kind)
);

-- The last entry of the ledger that `box_sources` counts, and the first day that its later entries can belong to.
create table box_source_cursor (
  id integer primary key check (id = 1),
  seq bigint not null,
  first_day text not null
);
insert into box_source_cursor (id, seq, first_day) values (1, 0, '1980-01-02');
