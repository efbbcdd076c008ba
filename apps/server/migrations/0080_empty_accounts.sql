-- Accounts that nobody used are deleted. Each lookup of an account's sessions needs an index.
create index sessions_by_user on sessions (user_id, last_used_at);

-- Members that were deleted, so that each server takes them out of its tree of invitations.
create table departed_members (
  number bigint generated always as identity primary key,
  -- The number of the user.
  member bigint not null,
  at timestamptz not null
);
