-- Users are known by their wallet address in lower case, so a payment from an address that never signed in has an owner.
create table users (
  id text primary key check (id ~ '^0x[0-9a-f]{40}$'),
  invite_code text not null unique,
  parent_id text references users (id) check (parent_id <> id),
  nickname text not null,
  created_at timestamptz not null
);
create index users_by_parent on users (parent_id);

create table login_nonces (
  nonce text primary key,
  user_id text not null,
  message text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index login_nonces_by_user on login_nonces (user_id, issued_at desc);

create table sessions (
  token_hash text primary key,
  user_id text not null references users (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  revoked_at timestamptz
);

-- Written by the ledger's writer only.
create table members (
  id text primary key,
  activated_at timestamptz,
  -- The order to pay while activation by wallet is under way.
  activation_order_id text
);
