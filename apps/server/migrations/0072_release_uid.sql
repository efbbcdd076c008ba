-- The operator can release a UID that somebody else proves to be theirs. The account keeps everything else, and can link
-- another UID.
alter table rich_accounts alter column uid drop not null;
alter table rich_uids alter column user_id drop not null;
