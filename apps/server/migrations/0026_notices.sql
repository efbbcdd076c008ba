-- What users are notified of. Delivered price alerts were the first kind: their rows move here.
create table notices (
  -- Its number. Notices are numbered in the order of their commits, so a server that has seen one has seen all before it.
  id bigint primary key,
  user_id text not null references users (id),
  kind text not null,
  -- What the notice is about: the same notice is sent once.
  key text not null,
  params jsonb not null,
  -- A path of the app.
  link text,
  created_at timestamptz not null,
  read_at timestamptz,
  unique (user_id, kind, key)
);
create index notices_by_user on notices (user_id, id desc);
create index notices_unread on notices (user_id, kind) where read_at is null;
create index notices_read on notices (read_at) where read_at is not null;

-- A product is exact, a quotient of numeric is not.
insert into notices (id, user_id, kind, key, params, link, created_at, read_at)
select notice, user_id, 'price_alert', id,
  jsonb_build_object(
    'symbol', symbol,
    'direction', direction,
    'price', trim_scale(price_e18 * 0.000000000000000001)::text,
    'price_seen', trim_scale(seen_e18 * 0.000000000000000001)::text
  ),
  '/markets/' || symbol, delivered_at, read_at
from alerts where status = 'delivered';

-- Still one row: senders hold it until they commit, so no server sees a number before all lower ones.
alter table last_alert_notice rename to last_notice;

-- With the columns go their indexes and the checks that name them.
alter table alerts drop column notice, drop column read_at;
alter table alerts add check (
  (status = 'delivered') = (delivered_at is not null) and (delivered_at is null) = (seen_e18 is null)
);
