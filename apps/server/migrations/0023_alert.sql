-- Price alerts. No money: plain rows, not the ledger's.
create table alerts (
  id text primary key,
  user_id text not null references users (id),
  symbol text not null,
  direction text not null check (direction in ('above', 'below')),
  price_e18 numeric(78, 0) not null check (price_e18 > 0),
  status text not null check (status in ('waiting', 'delivered', 'cancelled')),
  idempotency_key text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  seen_e18 numeric(78, 0),
  check ((status = 'delivered') = (delivered_at is not null) and (delivered_at is null) = (seen_e18 is null))
);
create unique index alerts_waiting_once on alerts (user_id, symbol, direction, price_e18) where status = 'waiting';
create unique index alerts_by_key on alerts (user_id, idempotency_key);
-- What a price reaches is one stretch of this index, however many alerts wait beyond it.
create index alerts_waiting on alerts (symbol, direction, price_e18) where status = 'waiting';
create index alerts_by_user on alerts (user_id, created_at desc, id desc);
create index alerts_by_symbol on alerts (user_id, symbol, created_at desc, id desc);
create index alerts_by_status on alerts (user_id, status, created_at desc, id desc);
create index alerts_by_symbol_and_status on alerts (user_id, symbol, status, created_at desc, id desc);

-- Devices that alerts are sent to by Web Push.
create table push_subscriptions (
  -- The SHA-256 of the address, in hex: a device has one owner.
  id text primary key,
  endpoint text not null,
  user_id text not null references users (id),
  -- The session that asked for it: when that one signs out, nothing is sent any more.
  session_hash text not null references sessions (token_hash),
  p256dh text not null,
  auth text not null,
  language text not null check (language in ('zh-HK', 'en')),
  created_at timestamptz not null
);
create index push_subscriptions_by_user on push_subscriptions (user_id, created_at desc, id desc);
-- A session that is deleted must not belong to a device.
create index push_subscriptions_by_session on push_subscriptions (session_hash);

-- What is still to be sent: made together with the delivery, gone once it is sent or given up. For a notice that is not an
-- alert, alert_id is n and the number of the notice, and body what is sent.
create table alert_pushes (
  alert_id text not null,
  subscription_id text not null references push_subscriptions (id) on delete cascade,
  attempts integer not null default 0,
  due_at timestamptz not null,
  body jsonb,
  created_at timestamptz,
  primary key (alert_id, subscription_id),
  constraint alert_pushes_body check ((body is null) = (created_at is null))
);
create index alert_pushes_due on alert_pushes (due_at);
create index alert_pushes_by_subscription on alert_pushes (subscription_id);
