-- Blind boxes. The writer writes the first five tables, the job that closes days the others.

-- One box for each click. Final.
create table boxes (
  id text primary key check (id ~ '^[0-9a-f]{32}$'),
  user_id text not null references users (id),
  day text not null,
  level integer not null check (level between 0 and 5),
  -- Consecutive days with a click before this one.
  streak integer not null check (streak >= 0),
  created_at timestamptz not null,
  -- The owner's fees of the days before, in base units of USDT.
  fees numeric(78, 0) not null default 0 check (fees >= 0)
);
create unique index boxes_once_a_day on boxes (user_id, day);
create index boxes_by_click on boxes (created_at desc, id desc);
create index boxes_by_day on boxes (day, id collate "C") include (user_id, level, streak, fees);

-- The latest click of each user.
create table box_streaks (
  id text primary key references users (id),
  day text not null,
  streak integer not null,
  box_id text not null references boxes (id)
);

-- The clicks of each day and their power before the draw, in base units of USDT: a sum of a million boxes is one row.
create table box_tallies (
  id text primary key,
  boxes integer not null,
  power numeric(78, 0) not null,
  -- What the fees of the day's box owners brought into `rewards`, by asset.
  bnb numeric(78, 0) not null default 0,
  eth numeric(78, 0) not null default 0,
  rt numeric(78, 0) not null default 0,
  usdt numeric(78, 0) not null default 0
);

-- Days that take no more clicks.
create table box_closures (
  id text primary key,
  closed_at timestamptz not null
);

-- Rewards that were claimed, or returned after 30 days. Each box once. Final.
create table box_settlements (
  id text primary key,
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
  -- A day keeps the length of its tree's runs, so that a server with another length continues it the same.
  run_length integer not null default 256 check (run_length > 0),
  -- The numbers of a day, published with its commitment. A change of the configuration counts for later days.
  rules text,
  -- A day without a root or a seed in time divides nothing, and `treasury` pays into `rewards` what it would have divided.
  void_reason text check (void_reason in ('no_root', 'no_seed')),
  block_not_before timestamptz,
  -- When the rewards of a divided day expire.
  claim_until timestamptz,
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
  contributed numeric(78, 0) not null default 0,
  primary key (day, asset)
);

create table box_draws (
  box_id text primary key,
  -- Null where the day draws ×1.
  ticket integer check (ticket between 0 and 99),
  draw integer not null check (draw > 0),
  -- In base units of USDT.
  power numeric(78, 0) not null check (power >= 0)
);

create table box_shares (
  box_id text not null,
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
