-- A session that is deleted must not belong to a device.
create index push_subscriptions_by_session on push_subscriptions (session_hash);
