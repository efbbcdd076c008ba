-- At most five sign-in messages of an address are open: each takes one of five slots, however many requests arrive together.
-- Messages that are open during the upgrade are closed, and their sign-ins start again.
delete from login_nonces;
alter table login_nonces add column slot smallint not null check (slot between 0 and 4);
alter table login_nonces drop constraint login_nonces_pkey;
alter table login_nonces add primary key (user_id, slot);
drop index login_nonces_by_user;
