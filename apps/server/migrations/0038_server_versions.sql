-- The version of each server, and the paths of the calls that it takes: a server forwards only commands that the leader knows.
-- Both are null where the server is older than 0.2.0.
alter table servers add column version text, add column calls jsonb;
