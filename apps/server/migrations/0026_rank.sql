-- Points that do not derive from the ledger. Each is deleted together with adding it to the boards.
create table rank_points (
  id text primary key,
  board text not null,
  user_id text not null references users (id),
  points numeric(78, 0) not null,
  at timestamptz not null
);
create index rank_points_by_time on rank_points (at, id);

-- A user's value on a board in a bucket: all, day:<first day> or week:<first day>.
create table rank_scores (
  board text not null,
  bucket text not null,
  user_id text not null references users (id),
  score numeric(78, 0) not null,
  -- Minus the number of the gain that reached the score: of equal scores, the larger is ahead.
  earliness bigint not null,
  -- null for all time.
  ends_at timestamptz,
  is_hidden boolean not null,
  primary key (board, bucket, user_id)
);
create index rank_places on rank_scores (board, bucket, score desc, earliness desc) where not is_hidden;
create index rank_scores_by_user on rank_scores (user_id);
create index rank_scores_by_end on rank_scores (ends_at);

-- The number of the last gain, of all boards.
create table rank_turns (
  id integer primary key check (id = 1),
  turn bigint not null
);
insert into rank_turns (id, turn) values (1, 0);

create table hidden_from_ranks (
  user_id text primary key references users (id),
  since timestamptz not null
);
