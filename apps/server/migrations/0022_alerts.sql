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
  -- Of a delivered one: the number that it was delivered under, when, the price that was seen, and when it was read.
  notice bigint unique,
  delivered_at timestamptz,
  seen_e18 numeric(78, 0),
  read_at timestamptz,
  check ((status = 'delivered') = (notice is not null)),
  check ((notice is null) = (delivered_at is null) and (notice is null) = (seen_e18 is null)),
  check (read_at is null or notice is not null)
);
-- The number of the last delivery. A row and not a sequence: whoever takes numbers holds it until the commit, so nobody
-- sees a number before all lower ones.
create table last_alert_notice (
  id integer primary key check (id = 1),
  notice bigint not null
);
insert into last_alert_notice (id, notice) values (1, 0);
create unique index alerts_waiting_once on alerts (user_id, symbol, direction, price_e18) where status = 'waiting';
create unique index alerts_by_key on alerts (user_id, idempotency_key);
-- What a price reaches is one stretch of this index, however many alerts wait beyond it.
create index alerts_waiting on alerts (symbol, direction, price_e18) where status = 'waiting';
create index alerts_by_user on alerts (user_id, created_at desc, id desc);
create index alerts_delivered on alerts (user_id, notice desc) where status = 'delivered';
create index alerts_unread on alerts (user_id) where status = 'delivered' and read_at is null;

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

-- What is still to be sent: made together with the delivery, gone once it is sent or given up.
create table alert_pushes (
  alert_id text not null references alerts (id),
  subscription_id text not null references push_subscriptions (id) on delete cascade,
  attempts integer not null default 0,
  due_at timestamptz not null,
  primary key (alert_id, subscription_id)
);
create index alert_pushes_due on alert_pushes (due_at);
create index alert_pushes_by_subscription on alert_pushes (subscription_id);
