-- Nonces of addresses that never ask again are deleted as others ask: the first to expire first.
create index login_nonces_by_expiry on login_nonces (expires_at);
